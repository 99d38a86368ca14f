"""A repository as it is damaged, and how a damage gets its name: see icechunk_damages.py."""

from __future__ import annotations

import json
import pathlib

from icechunk_files import LOG, MANIFEST, REPO, SNAPSHOT, File, raw

FOLDERS = {SNAPSHOT: "snapshots", MANIFEST: "manifests", LOG: "transactions"}


class Copy:
    """A repository that may be damaged; files of it by what is in them."""

    def __init__(self, root: pathlib.Path):
        self.root = root

    def repo(self) -> File:
        return File(self.root / "repo", REPO)

    def tip(self) -> str:
        """The snapshot of main."""
        main = self.root / "refs/branch.main/ref.json"
        if main.exists():
            return json.loads(main.read_text())["snapshot"]
        table = self.repo().table
        ref = next(r for r in table["branches"] if r["name"] == "main")
        return raw.b32(table["snapshots"][ref["snapshot_index"]]["id"])

    def snapshot(self, name: str | None = None) -> File:
        return File(self.root / "snapshots" / (name or self.tip()), SNAPSHOT)

    def log(self, name: str | None = None) -> File:
        return File(self.root / "transactions" / (name or self.tip()), LOG)

    def files(self, kind: int) -> list[File]:
        return [File(path, kind) for path in sorted((self.root / FOLDERS[kind]).iterdir())]

    def manifest(self, wanted=lambda table: True) -> File:
        """The first manifest of the tip with the property."""
        listed = {raw.b32(m["id"]) for m in self.snapshot().table["manifest_files_v2"]}
        return next(f for f in self.files(MANIFEST) if f.path.name in listed and wanted(f.table))

    def log_with(self, field: str) -> File:
        return next(f for f in self.files(LOG) if f.table[field])

    def changed_size(self, manifest: File) -> None:
        """Lists the size that a rewritten manifest has now in every snapshot."""
        for snapshot in self.files(SNAPSHOT):
            for listed in snapshot.table["manifest_files_v2"] or []:
                if raw.b32(listed["id"]) == manifest.path.name:
                    listed["size_bytes"] = manifest.path.stat().st_size
                    snapshot.save()

    def backup(self, name: str) -> File:
        return File(self.root / "overwritten" / name, REPO)


DAMAGES = {}


def damage(fixture: str):
    def add(function):
        DAMAGES[function.__name__] = (fixture, function)
        return function

    return add


def on_repo(name: str, fixture: str, change) -> None:
    def done(copy: Copy) -> None:
        file = copy.repo()
        change(file.table)
        file.save()

    DAMAGES[name] = (fixture, done)


def on_snapshot(name: str, fixture: str, change) -> None:
    def done(copy: Copy) -> None:
        file = copy.snapshot()
        change(file.table)
        file.save()

    DAMAGES[name] = (fixture, done)


def on_manifest(name: str, fixture: str, wanted, change) -> None:
    def done(copy: Copy) -> None:
        file = copy.manifest(wanted)
        change(file.table)
        file.save()
        copy.changed_size(file)

    DAMAGES[name] = (fixture, done)


def on_log(name: str, fixture: str, field: str, change) -> None:
    def done(copy: Copy) -> None:
        file = copy.log_with(field)
        change(file.table)
        file.save()

    DAMAGES[name] = (fixture, done)


def swap(items: list) -> None:
    items[0], items[1] = items[1], items[0]


def tip_of(table: dict) -> dict:
    ref = next(r for r in table["branches"] if r["name"] == "main")
    return table["snapshots"][ref["snapshot_index"]]


def array_of(table: dict, wanted=lambda node: True) -> dict:
    return next(n for n in table["nodes"]
                if n["node_data"]["kind"] == "ArrayNodeData" and wanted(n))


def chunked(table: dict) -> dict:
    """An array that has a manifest and a dimension."""
    return array_of(table, lambda n: n["node_data"]["manifests"] and n["node_data"]["shape_v2"])


def split(table: dict) -> dict:
    return array_of(table, lambda n: len(n["node_data"]["manifests"]) > 1)


def document(node: dict, change) -> None:
    value = json.loads(node["user_data"])
    change(value)
    node["user_data"] = json.dumps(value).encode()


def refs_of(table: dict) -> list:
    return next(a["refs"] for a in table["arrays"])


def has(field: str):
    return lambda table: any(r[field] is not None for a in table["arrays"] for r in a["refs"])


def first_with(table: dict, field: str) -> dict:
    return next(r for a in table["arrays"] for r in a["refs"] if r[field] is not None)


def many(table: dict) -> bool:
    return len(refs_of(table)) > 1


def header_byte(at: int, value: int):
    def change(file: File) -> None:
        file.header[at] = value
        file.write(bytes(file.header) + file.path.read_bytes()[raw.HEADER_LEN :])

    return change
