#!/usr/bin/env python3
"""Runs clang-tidy over the sources of one build folder, and remembers what passed.

    tools/tidy.py BUILD_DIR [FILE...]     all sources under src/, fuzz/, bench/ without FILE

A source that passed is not looked at again until its preprocessed text or .clang-tidy changes; the
memory lies in ~/.cache/icefield/tidy and holds nothing but hashes.
"""
import concurrent.futures
import hashlib
import json
import os
import pathlib
import shlex
import subprocess
import sys
import time

ROOT = pathlib.Path(__file__).resolve().parent.parent
MEMORY = pathlib.Path(os.environ.get("XDG_CACHE_HOME", pathlib.Path.home() / ".cache")) / "icefield/tidy"
KEEP_SECONDS = 60 * 24 * 3600


def commands(build: pathlib.Path) -> dict[str, dict]:
    """Compile command of each of our own sources, by its path from the root."""
    entries = json.loads((build / "compile_commands.json").read_text())
    found = {}
    for entry in entries:
        path = pathlib.Path(entry["file"])
        if path.is_relative_to(ROOT) and not path.is_relative_to(ROOT / "build"):
            found[path.relative_to(ROOT).as_posix()] = entry
    return found


def fingerprint(entry: dict, rules: bytes) -> str | None:
    """Hash of what clang sees, comments included; None when it cannot even be preprocessed."""
    words = shlex.split(entry["command"])
    while not pathlib.Path(words[0]).name.startswith(("c++", "g++", "clang++")):
        words = words[1:]  # the compiler launcher
    output = words.index("-o")
    words = ["clang++-14", *words[1:output], *words[output + 2:], "-E", "-C", "-P", "-w",
             "-Wno-unknown-warning-option"]
    seen = subprocess.run(words, cwd=entry["directory"], capture_output=True, check=False)
    if seen.returncode != 0:
        return None
    text = seen.stdout.replace(str(ROOT).encode(), b"")
    return hashlib.sha256(rules + b"\0" + text).hexdigest()


def check(build: pathlib.Path, name: str, entry: dict, rules: bytes) -> tuple[str, bool, str]:
    """The source's name, whether it was remembered, and what clang-tidy complains about."""
    mark = fingerprint(entry, rules)
    if mark and (MEMORY / mark).exists():
        os.utime(MEMORY / mark)
        return name, True, ""
    ran = subprocess.run(
        ["clang-tidy-14", "-p", str(build), "--quiet", "--extra-arg=-Wno-unknown-warning-option",
         entry["file"]], capture_output=True, text=True, check=False)
    if ran.returncode != 0:
        return name, False, ran.stdout or ran.stderr
    if mark:
        (MEMORY / mark).touch()
    return name, False, ""


def main(arguments: list[str]) -> int:
    build = pathlib.Path(arguments[0]).resolve()
    known = commands(build)
    wanted = sorted(set(arguments[1:]) & set(known)) if arguments[1:] else sorted(known)
    rules = (ROOT / ".clang-tidy").read_bytes()
    MEMORY.mkdir(parents=True, exist_ok=True)
    for mark in MEMORY.iterdir():
        if time.time() - mark.stat().st_mtime > KEEP_SECONDS:
            mark.unlink(missing_ok=True)

    remembered, complaints = 0, 0
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        jobs = [pool.submit(check, build, name, known[name], rules) for name in wanted]
        for job in concurrent.futures.as_completed(jobs):
            name, known_good, complaint = job.result()
            remembered += known_good
            if complaint:
                complaints += 1
                print(f"{name}:\n{complaint}", flush=True)
    print(f"tidy: {len(wanted)} sources, {remembered} unchanged since they passed,"
          f" {complaints} with complaints")
    return int(complaints > 0)


if __name__ == "__main__":
    if len(sys.argv) < 2:
        sys.exit(__doc__)
    sys.exit(main(sys.argv[1:]))
