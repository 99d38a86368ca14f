#!/usr/bin/env python3
"""Runs clang-tidy over the sources of one build folder, and remembers what passed.

    tools/tidy.py BUILD_DIR [--seconds N] [FILE...]     all sources of the build without FILE

A source that passed is not looked at again until its preprocessed text or .clang-tidy changes; the
memory lies in ~/.cache/icefield/tidy and holds nothing but hashes. Sources are taken in the order
of their last commit, newest first; after --seconds (default: no end) the rest is left to the next
run, and counted.
"""
import argparse
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


def newest_first(names: list[str]) -> list[str]:
    """By last commit; what was never committed comes before all."""
    log = subprocess.run(["git", "log", "--format=", "--name-only"], cwd=ROOT, capture_output=True,
                         text=True, check=False).stdout
    rank: dict[str, int] = {}
    for name in log.split("\n"):
        rank.setdefault(name, len(rank) + 1)
    return sorted(names, key=lambda name: (rank.get(name, 0), name))


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
    parser = argparse.ArgumentParser()
    parser.add_argument("build", type=pathlib.Path)
    parser.add_argument("--seconds", type=float, default=float("inf"))
    parser.add_argument("files", nargs="*")
    options = parser.parse_args(arguments)
    build = options.build.resolve()
    known = commands(build)
    wanted = newest_first(list(set(options.files) & set(known) if options.files else known))
    rules = (ROOT / ".clang-tidy").read_bytes()
    MEMORY.mkdir(parents=True, exist_ok=True)
    for mark in MEMORY.iterdir():
        if time.time() - mark.stat().st_mtime > KEEP_SECONDS:
            mark.unlink(missing_ok=True)

    end = time.monotonic() + options.seconds
    remembered, complaints, left = 0, 0, 0

    def work(name: str):
        return check(build, name, known[name], rules) if time.monotonic() < end else None

    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        for outcome in pool.map(work, wanted):
            if outcome is None:
                left += 1
                continue
            name, known_good, complaint = outcome
            remembered += known_good
            if complaint:
                complaints += 1
                print(f"{name}:\n{complaint}", flush=True)
    print(f"tidy: {len(wanted)} sources, {remembered} unchanged since they passed,"
          f" {complaints} with complaints, {left} left to the next run")
    return int(complaints > 0)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
