"""What reading a store of many small commits costs, official reader and ours, beside the same store made
by the official library.

    python bench/icechunk_readers.py --programs build/release/bench [--arrays 40] [--filled 100]
                                     [--commits 60] [--repeat 9]

One commit fills a window, then each adds two references to every array. Every reading is a process
of its own, the stores take turns; times are medians, bytes are what the process read. Prints one JSON line
per store and reader, then one table. The interpreter needs tests/interop/requirements.txt.
"""

import argparse
import asyncio
import json
import pathlib
import statistics
import subprocess
import sys
import tempfile
import time

import icechunk
import numpy
import zarr
from zarr.core.buffer import default_buffer_prototype

import icechunk_official as official

LEADS, CHUNK, RESERVE, FILE = 49, 1000, 64, 60_000  # as in icechunk_readers.cc


def place(cell):
    return official.location(cell // LEADS, cell % LEADS).replace("vcc://hrrr", "vcc://source")


def prefix_of(source):
    return f"file://{source}/"


def stage(session, arrays, first, end):
    cells = numpy.arange(first, end, dtype=numpy.uint64)
    texts = [place(int(cell)) for cell in cells]
    for a in range(arrays):
        with numpy.errstate(over="ignore"):
            drawn = official.mixed(cells * numpy.uint64(1_000_003) + numpy.uint64(a))
        offsets = drawn % numpy.uint64(FILE)
        specs = [icechunk.VirtualChunkSpec(index=[int(cell) // LEADS, int(cell) % LEADS, 0, 0],
                                           location=text, offset=int(offset), length=CHUNK)
                 for cell, text, offset in zip(cells, texts, offsets)]
        assert not session.store.set_virtual_refs("/" + official.name(a), specs)


def make(store, source, arrays, filled, commits):
    config = official.config(filled + RESERVE)
    config.set_virtual_chunk_container(icechunk.VirtualChunkContainer(
        prefix_of(source), icechunk.local_filesystem_store(str(source)), name="source"))
    repository = icechunk.Repository.create(official.local(store), config=config)
    official.create_arrays(repository, arrays, filled + RESERVE, LEADS)
    session = repository.writable_session("main")
    stage(session, arrays, 0, filled * LEADS)
    session.commit("filled")
    cpu = official.cpu_seconds()
    for k in range(commits):
        session = repository.writable_session("main")
        stage(session, arrays, filled * LEADS + 2 * k, filled * LEADS + 2 * k + 2)
        session.commit(f"append {k}")
    return {"commits": commits, "cpu_s": official.cpu_seconds() - cpu}


def bytes_read():
    return int(pathlib.Path("/proc/self/io").read_text().split()[1])


def read(store, source, init, lead):
    """With everything at the library's defaults, as a reader who knows nothing of the store."""
    before, start, cpu = bytes_read(), time.perf_counter(), official.cpu_seconds()
    repository = icechunk.Repository.open(
        official.local(store), authorize_virtual_chunk_access={prefix_of(source): None})
    session = repository.readonly_session("main")
    group = zarr.open_group(session.store, mode="r")
    last = sorted(group.array_keys())[-1]

    async def first():
        got = await session.store.get(f"{last}/c/{init}/{lead}/0/0", default_buffer_prototype())
        assert len(got) == CHUNK

    asyncio.run(first())
    result = {"first_ms": (time.perf_counter() - start) * 1e3,
              "first_cpu_ms": (official.cpu_seconds() - cpu) * 1e3,
              "first_bytes": bytes_read() - before}
    start, cpu = time.perf_counter(), official.cpu_seconds()

    async def keys():
        return len([key async for key in session.store.list()])

    result["keys"] = asyncio.run(keys())
    result["list_ms"] = (time.perf_counter() - start) * 1e3
    result["list_cpu_ms"] = (official.cpu_seconds() - cpu) * 1e3
    result["all_bytes"] = bytes_read() - before
    return result


def run(*command):
    done = subprocess.run([str(word) for word in command], capture_output=True, text=True, check=False)
    if done.returncode != 0:
        sys.exit(f"{command}: {done.stderr}")
    return json.loads(done.stdout.splitlines()[-1])


def measure(arguments, stores, source):
    """(reader, store) -> medians; the stores take turns."""
    last = arguments.filled * LEADS + 2 * arguments.commits - 1
    cell = (last // LEADS, last % LEADS)
    readings = {}
    for _ in range(arguments.repeat):
        for label, store in stores.items():
            for reader, command in (("official", [sys.executable, __file__]),
                                    ("icefield", [arguments.programs / "icechunk_readers"])):
                result = run(*command, "read", store, source, *cell)
                readings.setdefault((reader, label), []).append(result)
    medians = {}
    for key, results in readings.items():
        medians[key] = {field: statistics.median(r[field] for r in results) for field in results[0]}
        print(json.dumps({"reader": key[0], "store": key[1], **medians[key]}), flush=True)
    counts = {m["keys"] for m in medians.values()}
    assert len(counts) == 1, counts
    return medians


def print_table(medians, stores):
    print("\n| reader | store | first chunk ms | its CPU ms | bytes | list CPU ms | bytes of all |")
    print("|---|---|---|---|---|---|---|")
    for reader in ("official", "icefield"):
        base = medians[reader, "official"]
        for label in stores:
            row = medians[reader, label]
            cells = [f"{row[field]:,.{digits}f} ({row[field] / base[field]:.2f})"
                     for field, digits in (("first_ms", 2), ("first_cpu_ms", 2), ("first_bytes", 0),
                                           ("list_cpu_ms", 1), ("all_bytes", 0))]
            print(f"| {reader} | {label} | " + " | ".join(cells) + " |")


def main():
    if sys.argv[1:2] == ["read"]:
        print(json.dumps(read(*sys.argv[2:4], int(sys.argv[4]), int(sys.argv[5]))))
        return
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--programs", type=pathlib.Path, required=True)
    parser.add_argument("--arrays", type=int, default=40)
    parser.add_argument("--filled", type=int, default=100, help="inits of the window, 49 leads each")
    parser.add_argument("--commits", type=int, default=60)
    parser.add_argument("--repeat", type=int, default=9)
    arguments = parser.parse_args()
    program = arguments.programs / "icechunk_readers"
    with tempfile.TemporaryDirectory(prefix="bench-") as folder:
        root = pathlib.Path(folder)
        source = root / "source"
        for cell in range(arguments.filled * LEADS + 2 * arguments.commits):
            file = source / place(cell).removeprefix("vcc://source/")
            if cell >= arguments.filled * LEADS:
                file.parent.mkdir(parents=True, exist_ok=True)
                file.write_bytes(bytes(FILE + CHUNK))
        stores = {"official": root / "theirs", "icefield, small commits": root / "ours",
                  "icefield, compacted": root / "compacted"}
        numbers = [arguments.arrays, arguments.filled, LEADS, arguments.commits]
        made = {"official": make(stores["official"], source, arguments.arrays, arguments.filled,
                                 arguments.commits)}
        for label in ("icefield, small commits", "icefield, compacted"):
            made[label] = run(program, "make", stores[label], source, *numbers)
        made["compaction"] = run(program, "compact", stores["icefield, compacted"])
        print(json.dumps({"made": made}), flush=True)
        print_table(measure(arguments, stores, source), stores)


if __name__ == "__main__":
    main()
