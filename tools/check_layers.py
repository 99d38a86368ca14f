#!/usr/bin/env python3
"""Fails when a source file includes a room that tools/layers.toml does not allow it."""
import pathlib
import re
import sys
import tomllib

INCLUDE = re.compile(r'^\s*#\s*include\s+"([^"]+)"', re.MULTILINE)
GENERATED = re.compile(r"^[a-z_]+_generated\.h$")


def room_of(path: str, rooms: list[str]) -> str | None:
    inside = [room for room in rooms if path.startswith(room + "/")]
    return max(inside, key=len, default=None)


def allows(names: list[str], room: str) -> bool:
    return any(name == "*" or room == name or room.startswith(name + "/") for name in names)


def problems(source_root: pathlib.Path, allowed: dict[str, list[str]]) -> list[str]:
    rooms = list(allowed)
    found = []
    for file in sorted([*source_root.rglob("*.h"), *source_root.rglob("*.cc")]):
        here = file.relative_to(source_root).as_posix()
        room = room_of(here, rooms)
        if room is None:
            found.append(f"{here}: in no room of layers.toml")
            continue
        for target in INCLUDE.findall(file.read_text(encoding="utf-8")):
            if GENERATED.match(target):
                continue
            other = room_of(target, rooms)
            if other == room:
                continue
            if other is None:
                found.append(f"{here}: write {target} from src/, with its room")
            elif not allows(allowed[room], other):
                found.append(f"{here}: {room} may not include {other} ({target})")
            elif "/internal/" in target:
                found.append(f"{here}: {target} is private to {other}")
    return found


if __name__ == "__main__":
    root = pathlib.Path(__file__).resolve().parent.parent
    layers = tomllib.loads((root / "tools/layers.toml").read_text(encoding="utf-8"))
    complaints = problems(root / "src", layers)
    print("\n".join(complaints) or "layers: no violation")
    sys.exit(bool(complaints))
