"""Counts checks, prints what failed, and closes with the line that tells how many passed."""

import sys


class Report:
    def __init__(self):
        self.passed = 0
        self.failed = 0

    def check(self, ok, what: str) -> bool:
        """One thing that must hold. `what` names it and, for a failure, what was found."""
        if ok:
            self.passed += 1
        else:
            self.failed += 1
            if self.failed <= 40:
                print(f"FAILED: {what}", flush=True)
        return bool(ok)

    def close(self) -> None:
        """Prints the count and ends the process: 0 when all passed and at least one was made."""
        print(f"{self.passed} passed, {self.failed} failed", flush=True)
        sys.exit(self.failed > 0 or self.passed == 0)
