"""`icefield store verify --chunks` finds at least the damage that the conformance checker finds.

    ICEFIELD_SHARED=... python icechunk_damage.py ICEFIELD [--fixtures FOLDER] [--flips N] [--seed S]

Copies of repositories that the official library wrote are damaged in every way that the checker
looks for (DAMAGES), and by random changes of bytes. Where the checker fails, verify must call it
damage; where the checker only warns, verify must at least find it unusual. FOLDER holds what
conformance/icechunk_fixtures.py writes; without it, it is run.
"""

from __future__ import annotations

import argparse
import json
import os
import pathlib
import random
import shutil
import subprocess
import sys
import tempfile

sys.path.insert(0, str(pathlib.Path(__file__).parent))
from icechunk_damages import DAMAGES, Copy  # noqa: E402
from icechunk_files import File, frame, raw  # noqa: E402

import icechunk_check as check  # noqa: E402  (found through icechunk_files)

SOUND, UNUSUAL, DAMAGED = range(3)
NAMES = ["sound", "unusual", "damaged"]
FLIPPED = ["chunks", "groups", "location_dictionary", "moves", "expired", "migrated", "spec1"]


def checkers_verdict(path: pathlib.Path) -> tuple[int, str]:
    try:
        log = check.run(path, mutate=False, quiet=True)
    except check.CheckFailed as error:
        return DAMAGED, str(error)
    except BaseException as error:  # a way of failing that the checker does not report itself
        return DAMAGED, repr(error)
    return (UNUSUAL, log.warnings[0]) if log.warnings else (SOUND, "")


def our_verdict(program: str, path: pathlib.Path) -> tuple[int, str]:
    answer = subprocess.run(
        [program, "store", "verify", str(path), "--chunks", "--json"], capture_output=True, text=True
    )
    assert answer.returncode in (0, 1), f"exit status {answer.returncode}: {answer.stderr}"
    if answer.returncode == 1:
        return DAMAGED, answer.stdout.strip() or answer.stderr.strip()
    findings = json.loads(answer.stdout)["findings"]
    return (UNUSUAL, str(findings[0])) if findings else (SOUND, "")


# The fixtures' ids are drawn anew each time, and with them which of several references comes first: a
# damage may by chance hit what nobody needs.
MOST_UNDONE = 3


class Judge:
    def __init__(self, program: str, fixtures: pathlib.Path, work: pathlib.Path):
        self.program, self.fixtures, self.work = program, fixtures, work
        self.cases, self.failures, self.stricter = 0, [], []
        self.undone: list[str] = []  # damages that were none
        self.undamaged: dict[str, int] = {}  # the checker's verdict, by fixture

    def fail(self, text: str) -> None:
        self.failures.append(text)
        print(f"FAILED {text}", flush=True)

    def judge(self, name: str, fixture: str, damage, must_be_seen: bool) -> None:
        place = self.work / "damaged" / fixture
        shutil.rmtree(place.parent, ignore_errors=True)
        place.parent.mkdir()
        shutil.copytree(self.fixtures / fixture, place)
        if fixture not in self.undamaged:
            self.undamaged[fixture] = checkers_verdict(place)[0]
        try:
            damage(Copy(place))
        except StopIteration:
            self.fail(f"{name}: {fixture} has nothing of the kind")
            return
        theirs, why = checkers_verdict(place)
        ours, what = our_verdict(self.program, place)
        self.cases += 1
        if must_be_seen and theirs <= self.undamaged[fixture]:
            self.undone.append(name)
            print(f"{name} ({fixture}): the checker sees nothing: no damage was done", flush=True)
        if ours < theirs:
            self.fail(
                f"{name} ({fixture}): {NAMES[theirs]} to the checker, {NAMES[ours]} to verify\n"
                f"    checker: {why}\n    verify:  {what}"
            )
        elif ours > theirs:
            self.stricter.append(f"{name} ({fixture}): {what[:200]}")


def flip(roll: random.Random, inside: bool):
    """One random byte changed: of a file as stored, or of the buffer in its frame."""

    def change(copy: Copy) -> None:
        files = [f for f in copy.root.rglob("*") if f.is_file() and f.parent.name != "chunks"]
        files = [f for f in files if f.read_bytes()[:12] == raw.MAGIC]
        path = roll.choice(sorted(files))
        data = bytearray(path.read_bytes())
        if inside:
            body = bytearray(raw.zstd_decompress(bytes(data[raw.HEADER_LEN :])))
            body[roll.randrange(len(body))] ^= 1 << roll.randrange(8)
            data[raw.HEADER_LEN :] = frame(bytes(body))
        else:
            data[roll.randrange(len(data))] ^= 1 << roll.randrange(8)
        File.write(argparse.Namespace(path=path), bytes(data))

    return change


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("icefield")
    parser.add_argument("--fixtures", type=pathlib.Path)
    parser.add_argument("--flips", type=int, default=60, help="random changes of each kind")
    parser.add_argument("--seed", type=int)
    parser.add_argument("--only", help="part of the name of the damages to do")
    parser.add_argument("--show-stricter", action="store_true")
    arguments = parser.parse_args()
    work = pathlib.Path(tempfile.mkdtemp(prefix="icechunk-damage-"))
    fixtures = arguments.fixtures
    if fixtures is None:
        fixtures = work / "fixtures"
        writer = pathlib.Path(os.environ["ICEFIELD_SHARED"]) / "conformance/icechunk_fixtures.py"
        subprocess.run([sys.executable, str(writer), str(fixtures)], check=True,
                       stdout=subprocess.DEVNULL)
    judge = Judge(arguments.icefield, fixtures, work)
    for name, (fixture, damage) in DAMAGES.items():
        if arguments.only is None or arguments.only in name:
            judge.judge(name, fixture, damage, must_be_seen=True)
    seed = arguments.seed if arguments.seed is not None else random.SystemRandom().getrandbits(32)
    roll = random.Random(seed)
    for number in range(0 if arguments.only else arguments.flips):
        for inside in (False, True):
            name = f"flip {number} {'in the buffer' if inside else 'in the file'}"
            judge.judge(name, roll.choice(FLIPPED), flip(roll, inside), must_be_seen=False)
    shutil.rmtree(work)
    if arguments.show_stricter:
        print("\n".join(["stricter than the checker:", *judge.stricter]))
    if len(judge.undone) > MOST_UNDONE:
        judge.fail(f"{len(judge.undone)} damages were none: {', '.join(judge.undone)}")
    if not judge.failures:
        print("verify is at least as strict as the checker")
    print(json.dumps({"cases": judge.cases, "seed": seed, "failed": len(judge.failures),
                      "undone": len(judge.undone), "stricter": len(judge.stricter)}))
    return 1 if judge.failures else 0


if __name__ == "__main__":
    sys.exit(main())
