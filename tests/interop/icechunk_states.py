"""Writes repositories of many kinds with this library and has the official one judge them.

    python icechunk_states.py DRIVER [--keep FOLDER]

DRIVER is the icechunk_driver program. Where ICEFIELD_SHARED is set, every state also passes
its conformance/icechunk_check.py with --strict; without it the official library reads the
values back and commits on top.
"""

from __future__ import annotations

import argparse
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
from icechunk_driver import GROUP, Driver, array_json  # noqa: E402


def int32(*values: int) -> str:
    return np.array(values, dtype="<i4").tobytes().hex()


def config(split: int | None = None, containers=(), **members):
    made = dict(members)
    if split:
        made["manifest"] = {
            "splitting": {
                "split_sizes": [
                    ["any_array", [{"condition": {"Axis": 0}, "num_chunks": split}]]
                ]
            }
        }
    if containers:
        made["virtual_chunk_containers"] = {
            f"file://{folder}/": {
                "name": name,
                "url_prefix": f"file://{folder}/",
                "store": {"local_file_system": str(folder)},
            }
            for name, folder in containers
        }
    return made


def begin(driver: Driver, path: pathlib.Path, **arguments) -> None:
    driver("create", path=str(path), **arguments)
    driver("begin", session="s", branch="main")


def commit(driver: Driver, message: str, **arguments):
    answer = driver("commit", session="s", message=message, **arguments)
    driver("begin", session="s", branch="main")
    return answer


def plain(driver: Driver, path: pathlib.Path) -> None:
    """Groups, arrays, inline and native chunks, updates, deletions, a resize."""
    begin(driver, path)
    driver("set", session="s", key="zarr.json", text=GROUP)
    driver("set", session="s", key="g/zarr.json", text=GROUP)
    driver("set", session="s", key="g/a/zarr.json", text=array_json([8, 2], names=["t", "x"]))
    driver("set", session="s", key="g/big/zarr.json", text=array_json([512], [256]))
    driver("set", session="s", key="scalar/zarr.json", text=array_json([]))
    for i in range(6):
        driver("set", session="s", key=f"g/a/c/{i}/1", hex=int32(i))
    driver("set", session="s", key="g/big/c/0", hex=int32(*range(256)))
    driver("set", session="s", key="scalar/c", hex=int32(7))
    commit(driver, "first", metadata={"who": "us", "n": [1, 2.5, None, {"a": True}]})
    driver("set", session="s", key="g/a/zarr.json", text=array_json([9, 2], names=["t", "x"]))
    driver("set", session="s", key="g/a/c/8/0", hex=int32(80))
    driver("erase", session="s", key="g/a/c/1/1")
    driver("set", session="s", key="g/a/c/2/1", hex=int32(-2))
    commit(driver, "second")
    driver("set", session="s", key="g/a/zarr.json", text=array_json([4, 2], names=["t", "x"]))
    driver("erase", session="s", key="scalar/zarr.json")
    commit(driver, "smaller")


def history(driver: Driver, path: pathlib.Path) -> None:
    """Branches, tags, deleted ones, resets, amends, moves, metadata, configuration."""
    begin(driver, path, config=config(num_updates_per_repo_info_file=5))
    driver("set", session="s", key="zarr.json", text=GROUP)
    driver("set", session="s", key="g/zarr.json", text=GROUP)
    driver("set", session="s", key="g/a/zarr.json", text=array_json([4]))
    first = commit(driver, "first")["snapshot"]
    driver("set", session="s", key="g/a/c/0", hex=int32(1))
    driver("amend", session="s", message="amended")
    driver("begin", session="s", branch="main")
    driver("move", session="s", **{"from": "/g", "to": "/h"})
    commit(driver, "moved")
    driver("refs", do="create_branch", name="dev", at="main")
    driver("refs", do="create_branch", name="gone", at=first)
    driver("refs", do="delete_branch", name="gone")
    driver("refs", do="create_tag", name="v1", at="main")
    driver("refs", do="create_tag", name="v0", at="main")
    driver("refs", do="delete_tag", name="v0")
    driver("refs", do="set_metadata", metadata={"title": "x", "list": [1, 2, 3]})
    driver("refs", do="save_config", config=config(inline_chunk_threshold_bytes=12))
    driver("begin", session="s", branch="dev")
    driver("set", session="s", key="h/a/c/3", hex=int32(3))
    driver("commit", session="s", message="on dev")
    driver("refs", do="reset_branch", name="main", at="dev")


def appends(driver: Driver, path: pathlib.Path) -> None:
    """Many small commits: append manifests shared by arrays, late positions, merging, compaction."""
    begin(driver, path, config=config(split=4))
    driver("set", session="s", key="zarr.json", text=GROUP)
    for a in range(5):
        driver("set", session="s", key=f"a{a}/zarr.json", text=array_json([12, 20]))
    commit(driver, "arrays")
    for step in range(100):
        i, j = divmod(7 * step % 100, 20)
        for a in range(5):
            driver("set", session="s", key=f"a{a}/c/{i}/{j}", hex=int32(1000 * a + step))
        commit(driver, f"step {step}", layout="windows" if step == 50 else "append")
        if step in (30, 80):
            driver("compact", branch="main")
            driver("begin", session="s", branch="main")
    driver("compact", branch="main")


def virtual(driver: Driver, path: pathlib.Path) -> None:
    """Virtual references, relative, with and without a checksum, beside chunks of other kinds."""
    sources = path.parent / "sources"
    sources.mkdir()
    for i in range(40):
        (sources / f"file {i}.bin").write_bytes(np.arange(64, dtype="<i4").tobytes() + bytes([i]))
        os.utime(sources / f"file {i}.bin", (1_700_000_000, 1_700_000_000))
    begin(driver, path, config=config(split=16, containers=[("src", sources)]))
    driver("set", session="s", key="zarr.json", text=GROUP)
    driver("set", session="s", key="v/zarr.json", text=array_json([40, 8]))
    refs = [
        {
            "index": [i, j],
            "location": f"vcc://src/file%20{i}.bin",
            "offset": 4 * j,
            "length": 4,
            **({"last_modified": 1_700_000_000} if i % 3 == 0 else {}),
        }
        for i in range(36)
        for j in range(8)
        if (i, j) != (5, 5)
    ]
    driver("refer", session="s", path="/v", refs=refs)
    driver("set", session="s", key="v/c/39/7", hex=int32(397))
    commit(driver, "references")
    driver(
        "refer",
        session="s",
        path="/v",
        refs=[{"index": [36, 0], "location": "vcc://src/file%2036.bin", "offset": 40, "length": 4}],
    )
    commit(driver, "one more")


STATES = {"plain": plain, "history": history, "appends": appends, "virtual": virtual}


def judge(path: pathlib.Path) -> None:
    shared = os.environ.get("ICEFIELD_SHARED")
    if shared:
        check = pathlib.Path(shared) / "conformance/icechunk_check.py"
        subprocess.run([sys.executable, str(check), str(path), "--strict"], check=True)
    storage = icechunk.local_filesystem_storage(str(path))
    stored = icechunk.Repository.fetch_config(storage)
    prefixes = list((stored and stored.virtual_chunk_containers) or {})
    access = {p: icechunk.credentials.LocalFileSystemAccess for p in prefixes}
    repository = icechunk.Repository.open(storage, authorize_virtual_chunk_access=access)
    root = zarr.open_group(repository.readonly_session("main").store, mode="r")
    arrays = [array for _, array in root.members(max_depth=None) if isinstance(array, zarr.Array)]
    for array in arrays:
        array[...]
    session = repository.writable_session("main")
    made = zarr.open_group(session.store, mode="a").create_array("zz", shape=3, dtype="i4")
    made[:] = [1, 2, 3]
    session.commit("on top, by the official library")
    print(f"{path.name}: {len(arrays)} arrays read, one commit on top")


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("driver")
    parser.add_argument("--keep", help="folder for the repositories")
    parser.add_argument("--only", choices=STATES)
    arguments = parser.parse_args()
    folder = pathlib.Path(arguments.keep or tempfile.mkdtemp(prefix="icechunk-states-"))
    for name, make in STATES.items():
        if arguments.only not in (None, name):
            continue
        place = folder / name
        shutil.rmtree(place, ignore_errors=True)
        place.mkdir(parents=True)
        driver = Driver(arguments.driver)
        make(driver, place / name)
        driver.close()
        judge(place / name)
    if not arguments.keep:
        shutil.rmtree(folder)
    print(json.dumps({"states": list(STATES)}))
    return 0


if __name__ == "__main__":
    sys.exit(main())
