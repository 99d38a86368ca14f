"""Repositories of the official library with odd things in them read equal to the conformance
decoder's description: names and texts of every script, every kind of JSON value, flags and status,
empty and many-dimensional arrays, irregular grids, virtual references of every form.

    ICEFIELD_SHARED=... python icechunk_odd.py ICEFIELD
"""

from __future__ import annotations

import asyncio
import datetime
import json
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile

import icechunk
from zarr.core.buffer import default_buffer_prototype

sys.path.insert(0, str(pathlib.Path(__file__).parent))
from icechunk_driver import array_json  # noqa: E402
from icechunk_dump import difference  # noqa: E402
from report import Report  # noqa: E402

sys.path.insert(0, str(pathlib.Path(os.environ["ICEFIELD_SHARED"]) / "conformance"))
import icechunk_check as check  # noqa: E402

TEXTS = ["plain", "ü", "日本語", "emoji 😀", "spa ce", "per%20cent", 'quo"te', "back\\slash",
         "tab\there", "nul-like \u0001", "a" * 300, "\u202eright", "e\u0301", ".dot", "c", "0"]
VALUES = [None, True, False, 0, 1, -1, 127, 128, 255, 256, 65535, 65536, 2**31, 2**32, 2**53 + 1,
          2**63 - 1, -(2**63), 2**64 - 1, 0.0, -0.0, 0.1, 1.5, 1e300, 5e-324, 1e16, 123456789.125,
          "", *TEXTS, [], {}, [1, 2], [1, 2, 3], [1, 2, 3, 4], [1, 2, 3, 4, 5], [-1, 2], [-1, -2],
          [0.5, 0.25], [0.5, 0.25, 0.125], [0.1, 0.2, 0.3], [True, False], [True] * 5,
          ["a", "bb"], ["ü"] * 3, [[1], [2, [3]]], [None], [None, 1, "x", {"y": [1.5]}],
          {"b": 1, "a": {"c": [1, {"d": None}]}}, {"": 0, "ü": {"": ""}}, [2**40, 1], [1, -1, 1],
          [2**64 - 1, 0], list(range(300)), {f"k{i}": i for i in range(300)}]


class Odd:
    def __init__(self, path: pathlib.Path):
        self.path = path
        self.storage = icechunk.local_filesystem_storage(str(path))
        config = icechunk.RepositoryConfig()
        s3 = icechunk.s3_store(region="us-east-1", anonymous=True)
        for name, prefix, store in (
            ("buck et", "s3://bucket/pre/", s3),
            ("ünï", "s3://other/", s3),
            ("web", "https://example.org/data/", icechunk.http_store()),
            (None, "gs://g/", icechunk.gcs_store()),
            ("disk", f"file://{path.parent}/", icechunk.local_filesystem_store(str(path.parent))),
        ):
            config.set_virtual_chunk_container(
                icechunk.VirtualChunkContainer(prefix, store, name=name))
        config.num_updates_per_repo_info_file = 7
        config.manifest = icechunk.ManifestConfig(
            splitting=icechunk.ManifestSplittingConfig.from_dict(
                {icechunk.ManifestSplitCondition.name_matches("^v.*"): {
                    icechunk.ManifestSplitDimCondition.DimensionName("t"): 3}}))
        self.repository = icechunk.Repository.create(self.storage, config)
        self.repository.save_config()
        for step in (self.texts, self.values, self.shapes, self.sources, self.names, self.moves):
            step()

    def set(self, session, key: str, value: bytes) -> None:
        buffer = default_buffer_prototype().buffer.from_bytes(value)
        asyncio.run(session.store.set(key, buffer))

    def group(self, session, path: str, attributes) -> None:
        document = {"zarr_format": 3, "node_type": "group", "attributes": attributes}
        key = (path + "/zarr.json").lstrip("/")
        self.set(session, key, json.dumps(document, ensure_ascii=False).encode())

    def texts(self) -> None:
        for message in ("", "two\nlines", *TEXTS[:6]):
            session = self.repository.writable_session("main")
            if not message:
                self.group(session, "", {})
                self.group(session, "deep", {t: t for t in TEXTS})
                for text in TEXTS:
                    self.group(session, f"deep/{text}", {"v": VALUES})
            else:
                self.group(session, "", {"message": message})
            session.commit(message, {"message": message})

    def values(self) -> None:
        session = self.repository.writable_session("main")
        self.group(session, "values", {})
        session.commit("values", {"all": VALUES, **{f"v{i}": v for i, v in enumerate(VALUES)},
                                  **{t: 1 for t in TEXTS}})
        self.repository.set_metadata({"all": VALUES, "": 1, "ü": {"x": None}})
        self.repository.update_metadata({"more": [1.5, "x"]})

    def shapes(self) -> None:
        session = self.repository.writable_session("main")
        documents = {
            "scalar": array_json([]), "empty": array_json([0, 5], [1, 2]),
            "none": array_json([3, 0, 2], [1, 1, 1]), "many": array_json([2] * 9, [1] * 9),
            "long": array_json([2**40], [2**20]), "zero": array_json([4], [0]),
            "named": array_json([2, 2, 2], names=["t", "", None]),
        }
        irregular = json.loads(array_json([10, 4]))
        irregular["chunk_grid"] = {"name": "rectilinear", "configuration": {
            "kind": "inline", "chunk_shapes": [[3, [2, 3], 1], [4]]}}
        documents["irregular"] = json.dumps(irregular)
        for name, document in documents.items():
            self.set(session, f"{name}/zarr.json", document.encode())
        self.set(session, "scalar/c", b"1234")
        for at in range(2**9):
            index = "/".join(str(at >> d & 1) for d in range(9))
            if at % 3 == 0:
                self.set(session, f"many/c/{index}", at.to_bytes(4, "little") * (1 + at % 200))
        self.set(session, f"long/c/{2**20 - 1}", b"last")
        for index in ("0/0", "3/0", "4/0"):
            self.set(session, f"irregular/c/{index}", b"x" * 600)
        session.commit("shapes")

    def sources(self) -> None:
        session = self.repository.writable_session("main")
        self.set(session, "virtual/zarr.json", array_json([700, 2], names=["t", "x"]).encode())
        self.set(session, "vast/zarr.json", array_json([3000], names=["t"]).encode())
        forms = ["s3://bucket/pre/a//b/../c", "s3://bucket/pre/ü%20x?y=1#z", "vcc://buck et/a b",
                 "vcc://ünï/日本.grib2", "https://example.org/data/x?y=z", "gs://g/k",
                 "s3://other/" + "x" * 900, "S3://bucket/pre/upper"]
        moment = datetime.datetime(2024, 1, 1, tzinfo=datetime.timezone.utc)
        for i, form in enumerate(forms):
            for j, checksum in enumerate((None, moment if i % 2 else f'"tag{i}"')):
                session.store.set_virtual_ref(f"virtual/c/{i}/{j}", form, offset=2**40 * i,
                                              length=2**33 + i, checksum=checksum)
        for i in range(2500):
            session.store.set_virtual_ref(f"vast/c/{i}", f"s3://bucket/pre/run/{i // 7:05}.grib2",
                                          offset=i * 1000, length=1000)
        session.commit("sources")

    def names(self) -> None:
        tip = self.repository.lookup_branch("main")
        for name in ("with/slash", "ü", "日本", " ", "tag:odd", "0"):
            self.repository.create_branch(name, tip)
            self.repository.create_tag(name, tip)
        for name in ("ü", "0"):
            self.repository.delete_tag(name)
            self.repository.delete_branch(name)
        for flag in ("create_tag", "delete_tag", "move_node"):
            for setting in (True, False, None, flag == "create_tag"):
                self.repository.set_feature_flag(flag, setting)
        self.repository.set_feature_flag("move_node", None)
        read_only = icechunk.RepoAvailability.read_only
        self.repository.set_status(icechunk.RepoStatus(
            read_only, limited_availability_reason="for a while: ü"))
        self.repository.set_status(icechunk.RepoStatus(icechunk.RepoAvailability.online))

    def moves(self) -> None:
        session = self.repository.rearrange_session("main")
        session.move("/deep/ü", "/values/ö")
        session.move("/deep/日本語", "/deep/ü")
        session.move("/values", "/deep/0/values")
        session.commit("moved")
        session = self.repository.writable_session("main")
        self.group(session, "", {"amended": False})
        session.commit("to be amended")
        session = self.repository.writable_session("main")
        self.group(session, "", {"amended": True})
        session.amend("amended")
        self.repository.rewrite_manifests("rewritten", branch="main")
        self.repository.expire_snapshots(datetime.datetime.now(datetime.timezone.utc))
        session = self.repository.writable_session("main")
        self.group(session, "", {"last": True})
        session.commit("last")


def main() -> None:
    report = Report()
    folder = pathlib.Path(tempfile.mkdtemp(prefix="icechunk-odd-"))
    path = folder / "odd ü"
    Odd(path)
    want = json.loads(json.dumps(check.describe(check.RawRepo(path, check.Log(quiet=True)).load())))
    dump = subprocess.run([sys.argv[1], "store", "dump", str(path), "--json"], capture_output=True,
                          text=True)
    if report.check(dump.returncode == 0, f"dump: {dump.stderr.strip()}"):
        found = difference(want, json.loads(dump.stdout))
        report.check(not found, f"dump{found}")
    for command in (["ls"], ["log"], ["branches"], ["tags"], ["refs"], ["manifests"], ["stats"],
                    ["containers"], ["verify"], ["ls", "tag:with/slash"], ["log", "日本"]):
        words = [sys.argv[1], "store", command[0], str(path), *command[1:]]
        shown = subprocess.run(words, capture_output=True, text=True)
        report.check(shown.returncode == 0 and shown.stdout,
                     f"{command}: {shown.returncode}: {shown.stderr} {shown.stdout[-500:]}")
        report.check(all(c.isprintable() or c == "\n" for c in shown.stdout
                         if c not in "\u202e"), f"{command}: control characters")
    repointed(report, path)
    shutil.rmtree(folder)
    report.close()


def stored_config(path: pathlib.Path) -> dict:
    _, repo = check.raw.load(path / "repo", 6)
    return check.raw.flex_decode(repo["config"])


def repointed(report: Report, path: pathlib.Path) -> None:
    """What this library stores of a full configuration is what was there, and officially read."""
    before = stored_config(path)
    words = [sys.argv[1], "store", "repoint", str(path), "disk", "file:///srv/elsewhere/"]
    report.check(subprocess.run(words, capture_output=True).returncode == 0, "repoint")
    after = stored_config(path)
    storage = icechunk.local_filesystem_storage(str(path))
    official = set(icechunk.Repository.fetch_config(storage).virtual_chunk_containers)
    report.check(official == set(after["virtual_chunk_containers"]), f"containers: {official}")
    gone = before["virtual_chunk_containers"].pop(f"file://{path.parent}/")
    made = after["virtual_chunk_containers"].pop("file:///srv/elsewhere/")
    report.check((gone["name"], made["name"]) == ("disk", "disk"), f"repoint: {made}")
    report.check(check.frozen(after) == check.frozen(before), f"{after}, not {before}")
    icechunk.Repository.open(storage).readonly_session("main")


if __name__ == "__main__":
    main()
