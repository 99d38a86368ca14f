"""Makes every official repository of a folder again with this library, commit by commit; the result
must hold the same in every branch and tag, and pass the conformance checker with --strict.

    ICEFIELD_SHARED=... python icechunk_replay.py DRIVER FIXTURES [--only NAME]
"""

from __future__ import annotations

import argparse
import os
import pathlib
import shutil
import sys
import tempfile

import yaml

sys.path.insert(0, str(pathlib.Path(__file__).parent))
from icechunk_driver import Driver  # noqa: E402

sys.path.insert(0, str(pathlib.Path(os.environ["ICEFIELD_SHARED"]) / "conformance"))
import icechunk_check as check  # noqa: E402

CARRIER = "replay"  # the branch on which each snapshot is made


def by_id(content: dict) -> dict:
    return {node["id"]: path for path, node in content.items()}


def key_of(path: str) -> str:
    return (path[1:] + "/zarr.json").lstrip("/")


def config_of_version_1(source: pathlib.Path) -> dict:
    """config.yaml, whose variants with data are tags."""

    def tagged(loader, suffix, node):
        if isinstance(node, yaml.MappingNode):
            return {suffix: loader.construct_mapping(node, deep=True)}
        return {suffix: loader.construct_scalar(node)}

    class Loader(yaml.SafeLoader):
        pass

    Loader.add_multi_constructor("!", tagged)
    file = source / "config.yaml"
    return yaml.load(file.read_text(), Loader) if file.exists() else {}


class Replay:
    def __init__(self, program: str, source: pathlib.Path, target: pathlib.Path):
        self.source = check.RawRepo(source, check.Log(quiet=True)).load()
        self.driver = Driver(program)
        config = self.source.config or config_of_version_1(source)
        self.driver("create", path=str(target), config=config)
        self.made = {check.INITIAL: check.INITIAL}  # our snapshot for each of theirs

    def run(self) -> None:
        order = sorted(self.source.snapshots, key=lambda s: self.source.snapshots[s]["flushed_at"])
        for snapshot in order:
            if snapshot not in self.made:
                self.commit(snapshot)
        for name, target in self.source.tags.items():
            self.driver("refs", do="create_tag", name=name, at=self.made[target])
        for name, target in self.source.branches.items():
            what = "reset_branch" if name == "main" else "create_branch"
            self.driver("refs", do=what, name=name, at=self.made[target])
        for name in self.source.deleted_tags:
            if name not in self.source.tags:
                self.driver("refs", do="create_tag", name=name, at=check.INITIAL)
                self.driver("refs", do="delete_tag", name=name)
        if self.source.metadata:
            self.driver("refs", do="set_metadata", metadata=self.source.metadata)
        self.driver.close()

    def commit(self, snapshot: str) -> None:
        about = self.source.snapshots[snapshot]
        after = self.source.content(snapshot)
        parent = about["parent"] or check.INITIAL
        before = dict(self.source.content(parent))
        self.driver("refs", do="create_branch", name=CARRIER, at=self.made[parent])
        before = self.move(before, after)
        self.driver("begin", session="s", branch=CARRIER)
        changed = self.change(before, after)
        metadata = {k: v for k, v in about["metadata"].items() if k != "__icechunk"}
        if changed:
            answer = self.driver("commit", session="s", message=about["message"], metadata=metadata)
            self.made[snapshot] = answer["snapshot"]
        else:  # rewritten manifests, an empty commit, or nothing but moves
            self.made[snapshot] = self.moved or self.made[parent]
        self.driver("refs", do="delete_branch", name=CARRIER)

    def move(self, before: dict, after: dict) -> dict:
        """Moves of nodes that keep their ids, the outermost ones, in a commit of their own."""
        old, new = by_id(before), by_id(after)
        moves = sorted((old[n], new[n]) for n in old.keys() & new.keys() if old[n] != new[n])
        moves = [(a, b) for a, b in moves if not any(
            a.startswith(c + "/") and b == d + a[len(c):] for c, d in moves)]
        self.moved = None
        if not moves:
            return before
        self.driver("begin", session="s", branch=CARRIER)
        away = [(a, f"/zz-moved-{i}") for i, (a, _) in enumerate(moves)]
        back = [(m, b) for (_, m), (_, b) in zip(away, moves)]
        for one, other in away + sorted(back, key=lambda m: m[1].count("/")):
            self.driver("move", session="s", **{"from": one, "to": other})
        answer = self.driver("commit", session="s", message="moved")
        self.moved = answer["snapshot"]
        return {new.get(node["id"], path): node for path, node in before.items()}

    def change(self, before: dict, after: dict) -> bool:
        changed = False
        for path in sorted(before, key=len, reverse=True):
            if path not in after or after[path]["id"] != before[path]["id"]:
                self.driver("erase", session="s", key=key_of(path))
                del before[path]
                changed = True
        for path in sorted(after, key=lambda p: (p.count("/"), p)):
            node = after[path]
            was = before.get(path, {"refs": {}, "user_data": None})
            if was["user_data"] != node["user_data"]:
                self.driver("set", session="s", key=key_of(path), text=node["user_data"].decode())
                changed = True
            if node["kind"] == "array":
                changed = self.chunks(path, was["refs"], node["refs"]) or changed
        return changed

    def chunks(self, path: str, before: dict, after: dict) -> bool:
        virtual = []
        for index, reference in after.items():
            if before.get(index) == reference:
                continue
            if reference["kind"] == "virtual":
                virtual.append({"index": list(index), "location": reference["location"],
                                "offset": reference["offset"], "length": reference["length"],
                                "etag": tag_of(self.source, reference),
                                "last_modified": reference["mtime"]})
                continue
            self.driver("set", session="s", key=check.chunk_key(path, index),
                        hex=self.bytes_of(reference).hex())
        if virtual:
            self.driver("refer", session="s", path=path, refs=virtual)
        gone = [index for index in before if index not in after]
        for index in gone:
            self.driver("erase", session="s", key=check.chunk_key(path, index))
        return bool(gone) or any(before.get(i) != r for i, r in after.items())

    def bytes_of(self, reference: dict) -> bytes:
        if reference["kind"] == "inline":
            return reference["data"]
        data = (self.source.root / "chunks" / reference["id"]).read_bytes()
        return data[reference["offset"] : reference["offset"] + reference["length"]]


def tag_of(repo, reference: dict) -> str | None:
    """Entity tags of files never match, so that this library does not store them."""
    local = check.expand(reference["location"], repo.config).startswith("file://")
    return None if local else reference["etag"]


def picture(repo, snapshot: str) -> dict:
    """What a snapshot holds, wherever our own chunks are."""
    nodes = {}
    for path, node in repo.content(snapshot).items():
        shown = nodes[path] = {"document": node["user_data"], "kind": node["kind"]}
        if node["kind"] == "group":
            continue
        shown["shape"], shown["names"] = node["shape"], node["dims"]
        shown["chunks"] = {}
        for index, r in node["refs"].items():
            if r["kind"] == "virtual":
                shown["chunks"][index] = (check.expand(r["location"], repo.config), r["offset"],
                                          r["length"], tag_of(repo, r), r["mtime"])
            elif r["kind"] == "inline":
                shown["chunks"][index] = r["data"]
            else:
                data = (repo.root / "chunks" / r["id"]).read_bytes()
                shown["chunks"][index] = data[r["offset"] : r["offset"] + r["length"]]
    return nodes


def compare(source, target: pathlib.Path) -> None:
    ours = check.RawRepo(target, check.Log(quiet=True)).load()
    for kind in ("branches", "tags"):
        theirs, made = getattr(source, kind), getattr(ours, kind)
        assert theirs.keys() == made.keys(), (kind, theirs.keys() ^ made.keys())
        for name in theirs:
            one, other = picture(source, theirs[name]), picture(ours, made[name])
            assert one.keys() == other.keys(), (name, one.keys() ^ other.keys())
            for path in one:
                assert one[path] == other[path], (name, path)
    assert check.frozen(source.metadata) == check.frozen(ours.metadata), "repository metadata"
    assert set(source.deleted_tags) == set(ours.deleted_tags), "deleted tags"


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("driver")
    parser.add_argument("fixtures", type=pathlib.Path)
    parser.add_argument("--only")
    parser.add_argument("--keep", type=pathlib.Path)
    arguments = parser.parse_args()
    folder = arguments.keep or pathlib.Path(tempfile.mkdtemp(prefix="icechunk-replay-"))
    failed = 0
    for expectation in sorted(arguments.fixtures.glob("*.json")):
        source = expectation.with_suffix("")
        if not source.is_dir() or arguments.only not in (None, source.name):
            continue
        target = folder / source.name
        shutil.rmtree(target, ignore_errors=True)
        try:
            replay = Replay(arguments.driver, source, target)
            replay.run()
            compare(replay.source, target)
            # sources that are gone or have changed are as they were
            strict = source.name != "virtual_refs"
            check.run(target, mutate=True, strict=strict, quiet=True)
            print(f"{source.name}: {len(replay.made)} snapshots", flush=True)
        except Exception as error:  # one repository's failure does not hide another's
            failed += 1
            print(f"FAILED {source.name}: {type(error).__name__}: {error}", flush=True)
    if not arguments.keep:
        shutil.rmtree(folder)
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
