"""`icefield store ...` on repositories of the official library: what is shown, what is changed, what
is refused, with which exit status.

    python icechunk_commands.py ICEFIELD
"""

from __future__ import annotations

import datetime
import json
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile

import icechunk
import numpy as np
import zarr

sys.path.insert(0, str(pathlib.Path(__file__).parent))
from report import Report  # noqa: E402

DONE, FAILED, WRONG_USE, SKIPPED = 0, 1, 2, 3
NOBODY = "ZZZZZZZZZZZZZZZZZZZG"
COMMANDS = ["ls", "log", "branches", "tags", "diff", "refs", "dump", "manifests", "stats",
            "containers", "verify", "expire", "gc", "compact", "reset", "create-branch",
            "delete-branch", "create-tag", "delete-tag", "set-status", "repoint", "refresh"]


class Store:
    """An official repository with four commits, a branch, a tag and virtual chunks."""

    def __init__(self, folder: pathlib.Path, **options):
        self.path = folder / "store"
        self.sources = folder / "sources"
        self.sources.mkdir(parents=True)
        (self.sources / "f 1.bin").write_bytes(np.arange(64, dtype="<i4").tobytes())
        self.storage = icechunk.local_filesystem_storage(str(self.path))
        config = icechunk.RepositoryConfig()
        store = icechunk.local_filesystem_store(str(self.sources))
        config.set_virtual_chunk_container(
            icechunk.VirtualChunkContainer(f"file://{self.sources}/", store, name="src"))
        config.inline_chunk_threshold_bytes = 8
        self.repository = icechunk.Repository.create(self.storage, config, **options)
        self.repository.save_config()
        self.first = self.commit("first", self.arrays)
        self.second = self.commit("second ü", self.more)
        self.commit("third", self.attributes)
        self.last = self.commit("fourth", self.attributes)
        self.repository.create_tag("v1", self.second)
        self.repository.create_branch("dev", self.first)

    def commit(self, message: str, change) -> str:
        session = self.repository.writable_session("main")
        change(session, zarr.open_group(session.store, mode="a"))
        return session.commit(message, {"n": float("nan"), "who": "official ü"})

    def arrays(self, session, root) -> None:
        root.attrs["title"] = "ü"
        array = root.create_array("a", shape=(6, 4), chunks=(1, 4), dtype="i4")
        array[:4] = 7
        root.create_array("s", shape=(), dtype="i1", compressors=None)[...] = 3
        group = root.create_group("grüppe")
        group.create_array("v", shape=(4, 4), chunks=(1, 4), dtype="i4", compressors=None,
                           filters=None)
        for row in range(3):
            session.store.set_virtual_ref(f"grüppe/v/c/{row}/0", "vcc://src/f%201.bin",
                                          offset=16 * row, length=16)

    @staticmethod
    def more(_session, root) -> None:
        root["a"][4:] = 8

    @staticmethod
    def attributes(_session, root) -> None:
        root.attrs["more"] = [1, 2.5, "ü", root.attrs.get("more")]

    def bytes(self) -> bytes:
        return (self.path / "repo").read_bytes()


class Commands:
    def __init__(self, program: str, report: Report):
        self.program, self.report = program, report

    def run(self, *words: str, status: int = DONE, says: str = "") -> subprocess.CompletedProcess:
        done = subprocess.run([self.program, "store", *map(str, words)], capture_output=True,
                              text=True)
        what = " ".join(map(str, words))
        self.report.check(done.returncode == status,
                          f"{what}: exit status {done.returncode}, not {status}: {done.stderr}")
        self.report.check(says in done.stdout + done.stderr,
                          f"{what}: {says!r} is not in {(done.stdout + done.stderr)[:300]!r}")
        if status != DONE and done.stderr:
            lines = done.stderr.count("\n")
            self.report.check(lines == 1 and done.stderr.startswith("icefield: "),
                              f"{what}: {done.stderr!r}")
        return done

    def json(self, *words: str, status: int = DONE):
        return json.loads(self.run(*words, "--json", status=status).stdout)

    def equal(self, got, want, what: str) -> None:
        self.report.check(got == want, f"{what}: {got!r}, not {want!r}")


def shows(run: Commands, store: Store) -> None:
    path = store.path
    names = {row["path"]: row for row in run.json("ls", path)}
    run.equal(set(names), {"/", "/a", "/s", "/grüppe", "/grüppe/v"}, "ls")
    run.equal(names["/a"]["shape"], [6, 4], "ls: shape")
    run.equal(names["/a"]["chunks"], 6, "ls: chunks")
    run.run("ls", path, "tag:v1", says="grüppe/")
    log = run.json("log", path)
    ancestry = list(store.repository.ancestry(branch="main"))
    run.equal([(row["snapshot"], row["parent"], row["message"]) for row in log],
              [(one.id, one.parent_id, one.message) for one in ancestry], "log")
    run.equal(len(run.json("log", path, "--limit", "2")), 2, "log --limit")
    run.run("log", path, "tag:v1", says="second ü")
    run.equal(run.json("branches", path), {"dev": store.first, "main": store.last}, "branches")
    run.equal(run.json("tags", path), {"v1": store.second}, "tags")
    diff = run.json("diff", path, store.first, "tag:v1")
    run.equal(diff["chunks"], {"/a": [[4, 0], [5, 0]]}, "diff")
    run.equal(run.json("diff", path, "tag:v1")["updated"], ["/"], "diff to main")
    run.equal(run.json("containers", path)[0]["name"], "src", "containers")
    run.equal(run.json("stats", path)["snapshots"]["objects"], 5, "stats")
    run.equal(run.json("verify", path), {"sound": True, "snapshots": 5, "manifests": 4,
                                         "references": 14, "findings": []}, "verify")
    dump = run.json("dump", path)
    run.equal(dump["branches"]["main"], store.last, "dump")
    run.equal(dump["snapshots"][store.last]["metadata"], ancestry[0].metadata, "dump: metadata")


def references(run: Commands, store: Store) -> None:
    lines = run.run("refs", store.path, "--path", "/grüppe", "--json").stdout.splitlines()
    source = f"file://{store.sources}/f%201.bin"
    want = [{"path": "/grüppe/v", "chunk": [row, 0], "kind": "virtual",
             "location": "vcc://src/f%201.bin", "resolved": source, "offset": 16 * row,
             "length": 16} for row in range(3)]
    run.equal([json.loads(line) for line in lines], want, "refs")
    kinds = [json.loads(line)["kind"]
             for line in run.run("refs", store.path, "--json").stdout.splitlines()]
    run.equal(sorted(set(kinds)), ["inline", "native", "virtual"], "refs: kinds")
    run.run("refs", store.path, "--path", "/nothing", status=FAILED, says="/nothing")
    rows = {row["path"]: row for row in run.json("manifests", store.path, "--budget", "100")}
    run.equal(rows["/a"]["references"], 6, "manifests: references")
    run.equal(rows["/a"]["windows_over_budget"], 1, "manifests: over the budget")
    run.equal(1 <= rows["/a"]["suggested_split_size"] < 6, True, "manifests: suggestion")
    run.run("manifests", store.path, "--budget", "1000000", says="within the budget")


def refusals(run: Commands, store: Store) -> None:
    path, before = store.path, store.bytes()
    for command in COMMANDS:
        run.run(command, "--help", says=f"icefield store {command} ")
        run.run(command, status=WRONG_USE, says="--help")
    for words in (["log", path, "nothing"], ["ls", path, "tag:v9"],
                  ["reset", path, "nothing", "main"], ["reset", path, "main", NOBODY],
                  ["reset", path, "main", "dev", "--expect", store.first],
                  ["delete-branch", path, "nothing"], ["delete-tag", path, "v9"],
                  ["create-branch", path, "dev"], ["create-tag", path, "v1"],
                  ["create-tag", path, "v2", NOBODY], ["delete-branch", path, "dev", "--expect",
                                                        "main"],
                  ["repoint", path, "nobody", "file:///tmp/"], ["log", path.parent / "absent"],
                  ["log", "nonsense://x"]):
        run.run(*words, status=FAILED)
    for words in (["delete-branch", path, "main"], ["expire", path, "--older-than", "soon"],
                  ["gc", path, "--older-than", "5m"], ["gc", path, "--older-than", "2999-01-01"],
                  ["gc", path, "--older-than", "2999-01-01", "--no-writers"], ["gc", path],
                  ["set-status", path, "closed"], ["diff", path, "main", "dev"], ["repoint", path, "src", "ftp://host/"],
                  ["ls", path, "--depth"]):
        run.run(*words, status=WRONG_USE)
    for words in (["reset", path, "main", "dev"], ["create-branch", path, "new"],
                  ["create-tag", path, "v2"], ["delete-tag", path, "v1"],
                  ["delete-branch", path, "dev"], ["compact", path],
                  ["expire", path, "--older-than", "0s"], ["gc", path, "--older-than", "2h"],
                  ["gc", path, "--older-than", "0s", "--no-writers"],
                  ["repoint", path, "src", "file:///tmp/"]):
        run.equal(run.json(*words, "--dry-run")["dry_run"], True, f"{words}: dry run")
    run.equal(store.bytes() == before, True, "refused or dry, but changed")


def changes(run: Commands, store: Store) -> None:
    path, repository = store.path, store.repository
    run.json("create-branch", path, "new", "tag:v1")
    run.equal(repository.lookup_branch("new"), store.second, "create-branch")
    run.json("reset", path, "new", store.first, "--expect", "tag:v1")
    run.equal(repository.lookup_branch("new"), store.first, "reset")
    run.json("delete-branch", path, "new")
    run.json("create-tag", path, "v2", "dev")
    run.equal(repository.lookup_tag("v2"), store.first, "create-tag")
    run.json("delete-tag", path, "v2")
    run.run("create-tag", path, "v2", status=FAILED, says="v2")
    run.equal(repository.list_branches(), {"main", "dev"}, "branches")
    run.equal(repository.list_tags(), {"v1"}, "tags")
    elsewhere = store.path.parent / "elsewhere"
    shutil.copytree(store.sources, elsewhere)
    shutil.rmtree(store.sources)
    run.equal(run.json("verify", path)["sound"], True, "verify: sources are not the repository's")
    run.equal(len(run.json("verify", path)["findings"]) > 0, True, "verify: sources that are gone")
    before = run.json("dump", path)["config"]
    run.json("repoint", path, "src", str(elsewhere))
    after = run.json("dump", path)["config"]
    del before["virtual_chunk_containers"], after["virtual_chunk_containers"]
    run.equal(after, before, "repoint: the rest of the configuration")
    config = icechunk.Repository.fetch_config(store.storage)
    prefix = f"file://{elsewhere}/"
    run.equal(set(config.virtual_chunk_containers), {prefix}, "repoint")
    run.equal(config.inline_chunk_threshold_bytes, 8, "repoint keeps the rest")
    access = {prefix: icechunk.credentials.LocalFileSystemAccess}
    reader = icechunk.Repository.open(store.storage, authorize_virtual_chunk_access=access)
    root = zarr.open_group(reader.readonly_session("main").store, mode="r")
    run.equal(root["grüppe/v"][2].tolist(), [8, 9, 10, 11], "virtual chunks after repoint")
    run.json("set-status", path, "read-only", "--reason", "moved away")
    for words in (["create-tag", path, "v3"], ["expire", path, "--older-than", "0s"],
                  ["gc", path, "--older-than", "2h"], ["compact", path, "--dry-run"],
                  ["reset", path, "main", "dev"], ["repoint", path, "src", "file:///tmp/"]):
        run.run(*words, status=FAILED, says="moved away")
    run.json("set-status", path, "online")
    run.json("expire", path, "--older-than", "0s")
    leftover = path / "manifests" / "interrupted#7"
    leftover.write_bytes(b"of a writer that was killed")
    os.utime(leftover, (0, 0))
    run.equal(run.json("gc", path, "--older-than", "0s", "--no-writers")["leftovers"], 1,
              "gc: leftovers")
    run.equal(leftover.exists(), False, "gc removes leftovers")
    run.equal([one.message for one in repository.ancestry(branch="main")],
              ["fourth", "Repository initialized"], "expire")
    run.equal(root["a"][5].tolist(), [8] * 4, "data after expire and gc")
    run.equal(run.json("verify", path)["findings"], [], "verify after all")


def of_version_1(run: Commands, folder: pathlib.Path) -> None:
    store = Store(folder, spec_version=1)
    path = store.path
    run.equal(run.json("branches", path)["main"], store.last, "version 1: branches")
    run.equal(run.json("containers", path)[0]["name"], "src", "version 1: containers")
    line = run.run("refs", path, "--path", "/grüppe/v", "--json").stdout.splitlines()[0]
    run.equal(json.loads(line)["resolved"], f"file://{store.sources}/f%201.bin", "version 1: refs")
    run.equal(run.json("verify", path)["sound"], True, "version 1: verify")
    for words in (["create-tag", path, "v3"], ["expire", path, "--older-than", "0s"],
                  ["gc", path, "--older-than", "2h"], ["compact", path],
                  ["reset", path, "main", "dev"], ["repoint", path, "src", "file:///tmp/"],
                  ["delete-tag", path, "v1"], ["set-status", path, "read-only"]):
        run.run(*words, status=FAILED, says="version 1")


def refreshed(run: Commands, folder: pathlib.Path) -> None:
    """Sources copied over themselves: refused by the official reader, until they are refreshed."""
    store = Store(folder)
    path, source = store.path, store.sources / "f 1.bin"
    other = store.sources / "other.bin"
    other.write_bytes(bytes(32))
    session = store.repository.writable_session("main")
    for row in range(3):
        session.store.set_virtual_ref(f"grüppe/v/c/{row}/0", "vcc://src/f%201.bin", offset=16 * row,
                                      length=16, checksum=at(source))
    session.store.set_virtual_ref("grüppe/v/c/3/0", "vcc://src/other.bin", offset=0, length=20,
                                  checksum=at(other))
    session.commit("with identities")
    copy = folder / "copy"
    shutil.copytree(store.sources, copy)
    later = at(source) + datetime.timedelta(hours=1)
    for file in (source, other):
        os.utime(file, (later.timestamp(), later.timestamp()))
    other.write_bytes(b"x" * 32)
    os.utime(other, (later.timestamp(), later.timestamp()))
    prefix = f"file://{store.sources}/"

    def row(number: int):
        access = {prefix: icechunk.credentials.LocalFileSystemAccess}
        reader = icechunk.Repository.open(store.storage, authorize_virtual_chunk_access=access)
        root = zarr.open_group(reader.readonly_session("main").store, mode="r")
        return root["grüppe/v"][number].tolist()

    def refused(number: int) -> bool:
        try:
            row(number)
        except Exception:  # noqa: BLE001: whatever it throws
            return True
        return False

    run.equal(refused(1), True, "a changed source is refused")
    before = store.bytes()
    run.run("refresh", path, status=WRONG_USE, says="--copy")
    run.run("refresh", path, "--copy", "nothing", status=WRONG_USE, says="PREFIX=URL")
    run.run("refresh", path, "--messages", "--source", "s3://b/=/tmp", status=WRONG_USE,
            says="s3://b/")
    tried = run.json("refresh", path, "--copy", f"{prefix}={copy}", "--dry-run", status=SKIPPED)
    run.equal(store.bytes(), before, "refresh --dry-run")
    told = run.json("refresh", path, "--copy", f"{prefix}={copy}", status=SKIPPED)
    run.equal((tried["refreshed"], tried["different"]), (told["refreshed"], told["different"]),
              "refresh --dry-run tells what refresh does")
    run.equal(told["sources"], 2, "refresh: sources")
    run.equal(told["refreshed"], ["vcc://src/f%201.bin"], "refresh: the same bytes")
    run.equal(told["different"], ["vcc://src/other.bin"], "refresh: other bytes")
    run.equal([row(n)[0] for n in range(3)], [0, 4, 8], "official reader after refresh")
    run.equal(refused(3), True, "what is not the same stays refused")
    again = run.json("refresh", path, "--copy", f"{prefix}={copy}", status=SKIPPED)
    run.equal((again["refreshed"], again["snapshot"]), ([], None), "refresh again: nothing to do")
    messages = run.json("refresh", path, "--messages", status=SKIPPED)
    run.equal(messages["different"], ["vcc://src/other.bin"], "refresh --messages: no GRIB")
    for end, status in ((b"8888", SKIPPED), (b"7777", DONE)):
        other.write_bytes(b"GRIB" + bytes([0, 0, 0, 2]) + (20).to_bytes(8, "big") + end)
        os.utime(other, (later.timestamp(), later.timestamp()))
        told = run.json("refresh", path, "--messages", "--dry-run", status=status)
        run.equal(len(told["refreshed"]), int(status == DONE), f"refresh --messages: {end}")
    other.unlink()
    told = run.json("refresh", path, "--messages", status=SKIPPED)
    run.equal(told["unreadable"], ["vcc://src/other.bin"], "refresh: a source that is gone")


def at(file: pathlib.Path) -> datetime.datetime:
    return datetime.datetime.fromtimestamp(int(file.stat().st_mtime) + 1, datetime.timezone.utc)


def damaged(run: Commands, store: Store) -> None:
    (store.path / "repo").write_bytes(store.bytes()[:50])
    report = run.json("verify", store.path, status=FAILED)
    run.equal((report["sound"], report["findings"][0]["severity"]), (False, "damage"), "damaged")
    run.run("log", store.path, status=FAILED, says="repo")


def main() -> None:
    report = Report()
    run = Commands(sys.argv[1], report)
    folder = pathlib.Path(tempfile.mkdtemp(prefix="icechunk-commands-"))
    store = Store(folder / "one")
    for part in (shows, references, refusals, changes, damaged):
        part(run, store)
    of_version_1(run, folder / "two")
    refreshed(run, folder / "three")
    shutil.rmtree(folder)
    report.close()


if __name__ == "__main__":
    main()
