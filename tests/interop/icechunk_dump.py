"""Repositories that the official library wrote read equal to its own description of them.

    python icechunk_dump.py ICEFIELD FIXTURES

ICEFIELD is the executable; FIXTURES a folder with repositories and, beside each, NAME.json with
a member `repository` in the form of `icefield store dump`. Also: `store verify` finds no damage.
"""

from __future__ import annotations

import json
import pathlib
import subprocess
import sys

sys.path.insert(0, str(pathlib.Path(__file__).parent))
from report import Report  # noqa: E402


def substitute(value, url: str):
    """Puts the place of the fixtures where an expectation has placeholders."""
    if isinstance(value, dict):
        return {substitute(k, url): substitute(v, url) for k, v in value.items()}
    if isinstance(value, list):
        return [substitute(v, url) for v in value]
    if isinstance(value, str):
        path = url.removeprefix("file://")
        return value.replace("{FIXTURES_PATH}", path).replace("{FIXTURES}", url)
    return value


def difference(want, got, at: str = "") -> str:
    """Where two values differ first, and how; empty when they do not."""
    if isinstance(want, dict) and isinstance(got, dict):
        for key in sorted({*want, *got}):
            if key not in want or key not in got:
                return f"{at}.{key}: only {'found' if key in got else 'expected'}"
            if found := difference(want[key], got[key], f"{at}.{key}"):
                return found
        return ""
    if isinstance(want, list) and isinstance(got, list) and len(want) == len(got):
        pairs = enumerate(zip(want, got))
        return next((f for i, (w, g) in pairs if (f := difference(w, g, f"{at}[{i}]"))), "")
    if json.dumps(want, sort_keys=True) == json.dumps(got, sort_keys=True):
        return ""
    return f"{at}: {json.dumps(got)[:300]}, expected {json.dumps(want)[:300]}"


def main() -> None:
    program, folder = sys.argv[1], pathlib.Path(sys.argv[2])
    report = Report()
    for expectation in sorted(folder.glob("*.json")):
        repository = folder / expectation.stem
        if not repository.is_dir():
            continue
        document = json.loads(expectation.read_text())
        dump = subprocess.run(
            [program, "store", "dump", str(repository), "--json"], capture_output=True, text=True
        )
        if not report.check(dump.returncode == 0, f"{repository.name}: {dump.stderr.strip()}"):
            continue
        want = substitute(document["repository"], document.get("fixtures_url", ""))
        found = difference(want, json.loads(dump.stdout))
        report.check(not found, f"{repository.name}{found}")
        verify = subprocess.run(
            [program, "store", "verify", str(repository)], capture_output=True, text=True
        )
        report.check(verify.returncode == 0, f"{repository.name}: {verify.stdout.strip()}")
    report.close()


if __name__ == "__main__":
    main()
