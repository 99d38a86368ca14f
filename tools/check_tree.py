#!/usr/bin/env python3
"""Fails when a tracked file is what the tree does not hold: big, generated, unfinished, or tied to
one machine. Prints one line per complaint."""
import os
import pathlib
import re
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
MAX_BYTES = 400_000  # outside tests/golden, whose files are named in their folder's note
MAX_LINES = 400  # of a source file: above, ask what two things are in it
SOURCE = {".h", ".cc"}
CODE = SOURCE | {".py", ".sh", ".c", ".cmake", ".txt", ".json", ".toml", ""}

UNFINISHED = re.compile(r"\b(TO" r"DO|FIX" r"ME|XX" r"X)\b(?!\(#\d+\))")
SWITCHED_OFF = re.compile(r"\b(GTEST_" r"SKIP|DIS" r"ABLED_\w+)")
# Hosts are written in parts so that this file passes its own check.
REGISTRIES = [".".join(parts) for parts in (
    ("deb", "debian", "org"), ("security", "debian", "org"), ("pypi", "org"),
    ("files", "pythonhosted", "org"), ("crates", "io"), ("registry", "npmjs", "org"),
    ("proxy", "golang", "org"), ("repo", "maven", "apache", "org"))]
MACHINE_PATHS = re.compile(
    r"(?<![\w./])/(?:home/[a-z][\w-]*|root|work|Users/\w+)/[\w.]|/tmp/(?:venv|b)/")


def tracked() -> list[pathlib.Path]:
    listed = subprocess.run(["git", "ls-files", "-z"], cwd=ROOT, capture_output=True, check=False)
    names = [name for name in listed.stdout.decode().split("\0") if name]
    return [ROOT / name for name in names if (ROOT / name).is_file()]


def complaints_about_text(name: str, text: str, suffix: str) -> list[str]:
    found = []
    here = [str(ROOT) + "/"]
    home = os.environ.get("HOME", "/")
    if home != "/":
        here.append(home + "/")
    for number, line in enumerate(text.splitlines(), start=1):
        if any(path in line for path in here) or MACHINE_PATHS.search(line):
            found.append(f"{name}:{number}: a path of one machine")
        if any(host in line for host in REGISTRIES):
            found.append(f"{name}:{number}: a registry's host name")
        if suffix in CODE and UNFINISHED.search(line):
            found.append(f"{name}:{number}: unfinished; finish it, or name its issue as TO" "DO(#n)")
        if suffix in CODE and SWITCHED_OFF.search(line):
            found.append(f"{name}:{number}: a test that is switched off")
    return found


def complaints_about(path: pathlib.Path) -> list[str]:
    name = path.relative_to(ROOT).as_posix()
    size = path.stat().st_size
    golden = name.startswith("tests/golden/")
    if size > MAX_BYTES:
        return [f"{name}: {size} bytes; cut it down or generate it (at most {MAX_BYTES})"]
    if golden and path.suffix != ".md":
        return []
    if name.endswith(("_generated.h", ".pyc")):
        return [f"{name}: generated code belongs in the build folder"]
    try:
        text = path.read_text(encoding="utf-8")
    except UnicodeDecodeError:
        return [f"{name}: binary; such files belong in tests/golden"]
    found = complaints_about_text(name, text, path.suffix)
    lines = text.count("\n")
    if path.suffix in SOURCE and lines > MAX_LINES:
        found.append(f"{name}: {lines} lines; which two things are in it? (at most {MAX_LINES})")
    return found


def rooms_without_readme() -> list[str]:
    rooms = [file.parent for file in (ROOT / "src").rglob("CMakeLists.txt")]
    return [f"{room.relative_to(ROOT).as_posix()}: a room needs a README.md"
            for room in sorted(rooms) if not (room / "README.md").exists()]


if __name__ == "__main__":
    complaints = [line for path in tracked() for line in complaints_about(path)]
    complaints += rooms_without_readme()
    print("\n".join(complaints) or "tree: nothing to complain about")
    sys.exit(bool(complaints))
