"""The work of the icechunk_* programs, done by the official `icechunk` package.

    python bench/icechunk_official.py staging  [ARRAYS=20] [INITS=1000] [LEADS=49]
    python bench/icechunk_official.py flush    [ARRAYS=142] [FILLED=2200] [LEADS=49]
    python bench/icechunk_official.py contend  [WRITERS=32] [COMMITS=4] [contiguous|scattered] [memory|local] [light]
    python bench/icechunk_official.py probe    [INITS=2000] [LEADS=49]
    python bench/icechunk_official.py chunks   [CHUNKS=2000] [BYTES=65536]
    python bench/icechunk_official.py native   [MIB=512]
    python bench/icechunk_official.py history  [COMMITS=2000]
    python bench/icechunk_official.py resolve  STORE ARRAYS INITS LEADS

Same arrays, windows, locations, offsets and lengths as icechunk_workload.h. `contend`: threads over
the package's memory store, which has a compare-and-set, or processes over its local folder, which
has none: what it loses there is counted. `resolve` compares a thousand references of a store that
icechunk_stream left with what they must be. Prints one JSON line. bench/icechunk_compare.py runs both sides.
"""

import asyncio
import json
import multiprocessing
import os
import pathlib
import random
import resource
import shutil
import statistics
import sys
import tempfile
import threading
import time
import warnings
from datetime import datetime, timedelta

os.environ.setdefault("ICECHUNK_LOG", "error")
warnings.filterwarnings("ignore")

import icechunk  # noqa: E402
import numpy  # noqa: E402
import zarr  # noqa: E402
from zarr.core.buffer import default_buffer_prototype  # noqa: E402

PREFIX = "s3://noaa-hrrr-bdp-pds/"
MOST_SECONDS = 60  # of one contend case


# ---- the workload


def cpu_seconds(who=resource.RUSAGE_SELF):
    usage = resource.getrusage(who)
    return usage.ru_utime + usage.ru_stime


def forget_peak():
    pathlib.Path("/proc/self/clear_refs").write_text("5")


def peak_mib():
    for line in pathlib.Path("/proc/self/status").read_text().splitlines():
        if line.startswith("VmHWM:"):
            return int(line.split()[1]) / 1024
    return 0.0


def mixed(values):
    with numpy.errstate(over="ignore"):
        z = values + numpy.uint64(0x9E3779B97F4A7C15)
        z = (z ^ (z >> numpy.uint64(30))) * numpy.uint64(0xBF58476D1CE4E5B9)
        z = (z ^ (z >> numpy.uint64(27))) * numpy.uint64(0x94D049BB133111EB)
        return z ^ (z >> numpy.uint64(31))


def share(drawn):
    return (drawn >> numpy.uint64(11)).astype(numpy.float64) / 2**53


def base_length(array):
    return int(2 ** (15 + 6 * share(mixed(numpy.array([array + 7_000_003], numpy.uint64)))[0]))


def base_offset(array):
    return sum(base_length(a) for a in range(array))


def columns(array, first, inits, leads):
    """(offsets, lengths) of whole inits."""
    cells = numpy.arange(first * leads, (first + inits) * leads, dtype=numpy.uint64)
    with numpy.errstate(over="ignore"):
        one = mixed(cells * numpy.uint64(1_000_003) + numpy.uint64(array))
    two = mixed(one)
    lengths = (base_length(array) * (0.85 + 0.3 * share(one))).astype(numpy.uint64)
    offsets = (base_offset(array) * (0.97 + 0.06 * share(two))).astype(numpy.uint64)
    return offsets, lengths


def location(init, lead):
    at = datetime(2014, 7, 30) + timedelta(hours=init)
    return f"vcc://hrrr/hrrr.{at:%Y%m%d}/conus/hrrr.t{at:%H}z.wrfsfcf{lead:02d}.grib2"


def name(array):
    return f"var_{array:03d}"


def config(split=0, preload=True):
    made = icechunk.RepositoryConfig.default()
    splitting = None
    if split:
        axis = icechunk.ManifestSplitDimCondition.Axis(0)
        splitting = icechunk.ManifestSplittingConfig.from_dict(
            {icechunk.ManifestSplitCondition.AnyArray(): {axis: split}})
    if splitting or not preload:
        loading = None if preload else icechunk.ManifestPreloadConfig(max_total_refs=0)
        made.manifest = icechunk.ManifestConfig(preload=loading, splitting=splitting)
    made.set_virtual_chunk_container(icechunk.VirtualChunkContainer(
        PREFIX, icechunk.s3_store(region="us-east-1"), name="hrrr"))
    return made


def local(path):
    return icechunk.local_filesystem_storage(str(path))


def create_arrays(repository, arrays, inits, leads):
    session = repository.writable_session("main")
    root = zarr.group(store=session.store, zarr_format=3)
    for a in range(arrays):
        root.create_array(name(a), shape=(inits, leads, 1059, 1799), chunks=(1, 1, 1059, 1799),
                          dtype="float32", compressors=None, fill_value=float("nan"),
                          dimension_names=("init_time", "lead_time", "y", "x"))
    session.commit("arrays")


def fill(session, arrays, first, inits, leads):
    texts = [location(i, l) for i in range(first, first + inits) for l in range(leads)]
    for a in arrays:
        offsets, lengths = columns(a, first, inits, leads)
        refused = session.store.set_virtual_refs_arr(
            "/" + name(a), (inits, leads, 1, 1), texts, offsets, lengths,
            arr_offset=(first, 0, 0, 0))
        assert not refused


def add_cells(session, array, cells, leads):
    specs = []
    for init, lead in cells:
        offsets, lengths = columns(array, init, 1, leads)
        specs.append(icechunk.VirtualChunkSpec(
            index=[init, lead, 0, 0], location=location(init, lead),
            offset=int(offsets[lead]), length=int(lengths[lead])))
    assert not session.store.set_virtual_refs("/" + name(array), specs)


def folder_bytes(path):
    return sum(p.stat().st_size for p in pathlib.Path(path).rglob("*") if p.is_file())


def manifests_of(repository):
    snapshot = repository.lookup_branch("main")
    return repository.list_manifest_files(snapshot)


def in_child(work, *arguments):
    """Runs work in a fresh interpreter: caches are cold, memory is its own."""
    context = multiprocessing.get_context("spawn")
    with context.Pool(1) as pool:
        return pool.apply(work, arguments)


# ---- the subjects; each gives the fields that the program gives


def staging(folder, arrays, inits, leads):
    repository = icechunk.Repository.create(local(folder), config=config())
    create_arrays(repository, arrays, inits, leads)
    session = repository.writable_session("main")
    texts = [location(i, l) for i in range(inits) for l in range(leads)]
    made = [columns(a, 0, inits, leads) for a in range(arrays)]
    began = cpu_seconds()
    for a, (offsets, lengths) in enumerate(made):
        assert not session.store.set_virtual_refs_arr(
            "/" + name(a), (inits, leads, 1, 1), texts, offsets, lengths)
    staged = cpu_seconds()
    start = time.perf_counter()
    session.commit("references")
    wall = time.perf_counter() - start
    committed = cpu_seconds()
    count = arrays * inits * leads
    held = manifests_of(repository)
    assert sum(m.num_chunk_refs for m in held) == count
    return {
        "references": count,
        "stage_cpu_s": staged - began,
        "staged_per_cpu_s": count / (staged - began),
        "commit_wall_s": wall,
        "commit_cpu_s": committed - staged,
        "commit_us_per_reference": (committed - staged) / count * 1e6,
        "manifest_bytes_per_reference": sum(m.size_bytes for m in held) / count,
    }


RESERVE = 8


def flush_setup(folder, arrays, filled, leads):
    repository = icechunk.Repository.create(local(folder), config=config(filled + RESERVE))
    create_arrays(repository, arrays, filled + RESERVE, leads)
    at_once = 10
    for a in range(0, arrays, at_once):
        session = repository.writable_session("main")
        fill(session, range(a, min(arrays, a + at_once)), 0, filled, leads)
        session.commit("fill")
    held = manifests_of(repository)
    return sum(m.size_bytes for m in held) / arrays


def flush_measure(folder, arrays, filled, leads):
    repository = icechunk.Repository.open(local(folder))
    forget_peak()
    result = {}
    for turn, lead in (("cold", 0), ("warm", 2)):
        session = repository.writable_session("main")
        for a in range(arrays):
            add_cells(session, a, [(filled, lead), (filled, lead + 1)], leads)
        before = folder_bytes(folder)
        start, cpu = time.perf_counter(), cpu_seconds()
        session.commit("append")
        result[turn] = {
            "wall_s": time.perf_counter() - start,
            "cpu_s": cpu_seconds() - cpu,
            "bytes_written": folder_bytes(folder) - before,
        }
    result["peak_mib"] = peak_mib()
    return result


def flush(folder, arrays, filled, leads):
    size = in_child(flush_setup, folder, arrays, filled, leads)
    result = in_child(flush_measure, folder, arrays, filled, leads)
    return {"arrays": arrays, "active_references": filled * leads, "active_manifest_bytes": size,
            **result}


class Plan:
    """Where each writer's k-th commit puts its references; as in icechunk_contend.cc."""

    arrays, windows, filled, leads, split, references, spread = 20, 32, 54, 19, 54 + 16, 8, 4

    def __init__(self, writers, commits, words):
        self.writers, self.commits, self.scattered = writers, commits, "scattered" in words
        if "light" in words:
            self.arrays, self.filled, self.split = 1, 1, 1 + 16

    def cells(self, w, k):
        chosen = []
        for j in range(self.references):
            if self.scattered:
                step = self.windows // self.spread
                window = (j % self.spread) * step + (w + k) % step
                slot = (w * self.commits + k) * -(-self.references // self.spread) + j // self.spread
            else:
                own = max(1, self.windows // self.writers)
                window = (w * own + k % own) % self.windows
                slot = ((w // self.windows) * self.commits + k) * self.references + j
            chosen.append((window * self.split + self.filled + slot // self.leads, slot % self.leads))
        return chosen


def contend_base(repository, plan):
    create_arrays(repository, plan.arrays, plan.split * plan.windows, plan.leads)
    session = repository.writable_session("main")
    for w in range(plan.windows):
        fill(session, range(plan.arrays), w * plan.split, plan.filled, plan.leads)
    session.commit("base")


def write_commits(repository, plan, w, until, tell):
    solver = icechunk.ConflictDetector()
    for k in range(plan.commits):
        if time.monotonic() > until:
            return
        session = repository.writable_session("main")
        for a in range(plan.arrays):
            add_cells(session, a, plan.cells(w, k), plan.leads)
        start = time.perf_counter()
        try:
            session.commit(f"w{w} k{k}", rebase_with=solver, rebase_tries=1000)
        except icechunk.IcechunkError as error:
            tell(("error", str(error).splitlines()[0]))
            return
        tell(("landed", time.perf_counter() - start))


def contend_process(folder, plan, w, barrier, until, queue):
    repository = icechunk.Repository.open(local(folder), config=config(plan.split, preload=False))
    barrier.wait()
    write_commits(repository, plan, w, until, queue.put)
    queue.put(("end", w))


def run_processes(folder, plan, seconds):
    context = multiprocessing.get_context("spawn")
    barrier, queue = context.Barrier(plan.writers + 1), context.Queue()
    until = time.monotonic() + seconds + 30
    processes = [context.Process(target=contend_process,
                                 args=(folder, plan, w, barrier, until, queue))
                 for w in range(plan.writers)]
    for process in processes:
        process.start()
    barrier.wait()
    start, told, open_ends = time.perf_counter(), [], plan.writers
    while open_ends and time.perf_counter() - start < seconds:
        try:
            told.append(queue.get(timeout=0.2))
        except Exception:  # noqa: BLE001: nothing told for a while
            continue
        open_ends -= told[-1][0] == "end"
    wall = time.perf_counter() - start
    for process in processes:
        process.terminate()
        process.join()
    return told, wall


def run_threads(storage, plan, seconds):
    told = []
    barrier = threading.Barrier(plan.writers + 1)
    until = time.monotonic() + seconds

    def run(w):
        repository = icechunk.Repository.open(storage, config=config(plan.split, preload=False))
        barrier.wait()
        write_commits(repository, plan, w, until, told.append)

    threads = [threading.Thread(target=run, args=(w,), daemon=True) for w in range(plan.writers)]
    for thread in threads:
        thread.start()
    barrier.wait()
    start = time.perf_counter()
    for thread in threads:
        thread.join(max(0.0, start + seconds - time.perf_counter()))
    return list(told), time.perf_counter() - start


def count_missing(repository, plan, landed_all):
    store = repository.readonly_session("main").store

    async def count():
        missing = 0
        for a in range(plan.arrays):
            for w in range(plan.writers):
                for k in range(plan.commits):
                    for init, lead in plan.cells(w, k):
                        missing += not await store.exists(f"{name(a)}/c/{init}/{lead}/0/0")
        return missing

    return asyncio.run(count()) if landed_all else None


def contend(folder, writers, commits, *words):
    plan = Plan(writers, commits, words)
    in_memory = "memory" in words
    storage = icechunk.in_memory_storage() if in_memory else local(folder)
    repository = icechunk.Repository.create(storage, config=config(plan.split, preload=False))
    contend_base(repository, plan)
    cpu = cpu_seconds(resource.RUSAGE_SELF if in_memory else resource.RUSAGE_CHILDREN)
    if in_memory:
        told, wall = run_threads(storage, plan, MOST_SECONDS)
    else:
        told, wall = run_processes(folder, plan, MOST_SECONDS)
    cpu = cpu_seconds(resource.RUSAGE_SELF if in_memory else resource.RUSAGE_CHILDREN) - cpu
    seconds = sorted(value for what, value in told if what == "landed")
    errors = [value for what, value in told if what == "error"]
    history = sum(1 for _ in repository.ancestry(branch="main")) - 3
    return {
        "writers": writers,
        "mode": "scattered" if plan.scattered else "contiguous",
        "storage": "memory" if in_memory else "local",
        "commits_asked": writers * commits,
        "commits": len(seconds),  # that the library said had landed
        "in_history": history,
        "lost": max(0, len(seconds) - history),
        "missing_references": count_missing(repository, plan, len(seconds) == writers * commits),
        "failed": len(errors),
        "error": errors[0] if errors else None,
        "commits_per_s": min(history, len(seconds)) / wall,
        "cpu_s": cpu,
        "median_s": statistics.median(seconds) if seconds else None,
        "slowest_s": seconds[-1] if seconds else None,
    }


def probe(folder, inits, leads):
    repository = icechunk.Repository.create(local(folder), config=config(500))
    create_arrays(repository, 1, inits, leads)
    session = repository.writable_session("main")
    fill(session, [0], 0, inits, leads)
    session.commit("filled")
    store = repository.readonly_session("main").store
    roll = random.Random(1)
    keys = [f"{name(0)}/c/{roll.randrange(inits)}/{roll.randrange(leads)}/0/0" for _ in range(20_000)]

    async def one_by_one():
        return sum([await store.exists(key) for key in keys])

    async def gathered():
        found = 0
        for at in range(0, len(keys), 500):
            found += sum(await asyncio.gather(*[store.exists(key) for key in keys[at:at + 500]]))
        return found

    async def listing():
        return len([key async for key in store.list_prefix(name(0) + "/")]) - 1

    def rate(work):
        cpu = cpu_seconds()
        found = asyncio.run(work())
        return found / (cpu_seconds() - cpu)

    asyncio.run(listing())  # loads the manifests
    return {"chunks": inits * leads, "batched_per_cpu_s": rate(gathered),
            "single_per_cpu_s": rate(one_by_one), "listed_per_cpu_s": rate(listing)}


def chunks_setup(folder, source, count, size):
    source.mkdir()
    made = icechunk.RepositoryConfig.default()
    prefix = f"file://{source}/"
    made.set_virtual_chunk_container(icechunk.VirtualChunkContainer(
        prefix, icechunk.local_filesystem_store(str(source)), name="source"))
    repository = icechunk.Repository.create(local(folder), config=made)
    session = repository.writable_session("main")
    root = zarr.group(store=session.store, zarr_format=3)
    root.create_array("a", shape=(count * size,), chunks=(size,), dtype="uint8", compressors=None)
    per_file = 50
    texts, offsets = [], []
    for i in range(count):
        with open(source / f"file-{i // per_file}", "ab") as file:
            file.write(numpy.random.default_rng(i).bytes(size))
        texts.append(f"vcc://source/file-{i // per_file}")
        offsets.append(i % per_file * size)
    assert not session.store.set_virtual_refs_arr(
        "/a", (count,), texts, numpy.array(offsets, numpy.uint64),
        numpy.full(count, size, numpy.uint64))
    session.commit("references")
    return prefix


def chunks_measure(folder, prefix, count, size):
    start = time.perf_counter()
    repository = icechunk.Repository.open(
        local(folder), authorize_virtual_chunk_access={prefix: None})
    store = repository.readonly_session("main").store
    prototype = default_buffer_prototype()

    async def read():
        first = (await store.get("a/c/0", prototype)).to_bytes()
        assert first == numpy.random.default_rng(0).bytes(size)
        opened = time.perf_counter() - start
        roll, each = random.Random(1), []
        cpu = cpu_seconds()
        for _ in range(count):
            begun = time.perf_counter()
            got = await store.get(f"a/c/{roll.randrange(count)}", prototype)
            each.append(time.perf_counter() - begun)
            assert len(got) == size
        return opened, each, cpu_seconds() - cpu

    opened, each, cpu = asyncio.run(read())
    return {"chunks": count, "chunk_bytes": size, "open_to_first_ms": opened * 1e3,
            "read_median_us": statistics.median(each) * 1e6, "read_cpu_us": cpu / count * 1e6}


def chunks(folder, count, size):
    source = pathlib.Path(folder).parent / "source"
    prefix = in_child(chunks_setup, folder, source, count, size)
    return in_child(chunks_measure, folder, prefix, count, size)


def native(folder, mib):
    size = 4 << 20
    count = mib // 4
    repository = icechunk.Repository.create(local(folder))
    session = repository.writable_session("main")
    root = zarr.group(store=session.store, zarr_format=3)
    root.create_array("a", shape=(count * size,), chunks=(size,), dtype="uint8", compressors=None)
    prototype = default_buffer_prototype()
    data = prototype.buffer.from_bytes(numpy.random.default_rng(1).bytes(size))

    async def write():
        for i in range(count):
            await session.store.set(f"a/c/{i}", data)

    start, cpu = time.perf_counter(), cpu_seconds()
    asyncio.run(write())
    session.commit("native")
    wall, write_cpu = time.perf_counter() - start, cpu_seconds() - cpu
    store = repository.readonly_session("main").store

    async def read():
        for i in range(count):
            got = await store.get(f"a/c/{i}", prototype)
            assert got.to_bytes() == data.to_bytes()

    start, cpu = time.perf_counter(), cpu_seconds()
    asyncio.run(read())
    return {"mib": mib, "write_commit_s": wall, "write_cpu_s": write_cpu,
            "read_s": time.perf_counter() - start, "read_cpu_s": cpu_seconds() - cpu}


def history(folder, commits):
    repository = icechunk.Repository.create(local(folder), config=config(1000))
    create_arrays(repository, 1, commits + 1, 1)
    walls, cpus = [], []
    for i in range(commits):
        start, cpu = time.perf_counter(), cpu_seconds()
        session = repository.writable_session("main")
        add_cells(session, 0, [(i, 0)], 1)
        session.commit(f"commit {i}")
        walls.append(time.perf_counter() - start)
        cpus.append(cpu_seconds() - cpu)
    tail, cpu_tail = sorted(walls[-100:]), sorted(cpus[-100:])
    return {"commits": commits, "last_100_median_ms": tail[len(tail) // 2] * 1e3,
            "last_100_least_ms": tail[0] * 1e3, "last_100_cpu_ms": cpu_tail[len(tail) // 2] * 1e3,
            "store_bytes": folder_bytes(folder),
            "repo_bytes": (pathlib.Path(folder) / "repo").stat().st_size, "peak_mib": peak_mib()}


def resolve(_, arrays, inits, leads, store):
    session = icechunk.Repository.open(local(store)).readonly_session("main")
    roll = random.Random(1)
    checked = 0

    async def held(array):
        found = {}
        async for positions, _, places, offsets, lengths, _ in session.store.array_chunk_iterator(
                "/" + name(array)):
            for i, place in enumerate(places):
                found[int(positions[i][0]), int(positions[i][1])] = (
                    place, int(offsets[i]), int(lengths[i]))
        return found

    for array in roll.sample(range(arrays), 4):
        found = asyncio.run(held(array))
        assert len(found) == inits * leads, len(found)
        for _ in range(250):
            init, lead = roll.randrange(inits), roll.randrange(leads)
            offsets, lengths = columns(array, init, 1, leads)
            want = (location(init, lead).replace("vcc://hrrr/", PREFIX), int(offsets[lead]),
                    int(lengths[lead]))
            assert found[init, lead] == want, (array, init, lead, found[init, lead], want)
            checked += 1
    return {"resolved": checked}


SUBJECTS = {
    "resolve": (resolve, []),
    "staging": (staging, [20, 1000, 49]),
    "flush": (flush, [142, 2200, 49]),
    "contend": (contend, [32, 4]),
    "probe": (probe, [2000, 49]),
    "chunks": (chunks, [2000, 65536]),
    "native": (native, [512]),
    "history": (history, [2000]),
}


def main():
    if len(sys.argv) < 2 or sys.argv[1] not in SUBJECTS:
        print(__doc__, file=sys.stderr)
        return 2
    work, numbers = SUBJECTS[sys.argv[1]]
    given = [int(word) for word in sys.argv[2:] if word.isdigit()]
    words = [word for word in sys.argv[2:] if not word.isdigit()]
    scratch = tempfile.mkdtemp(prefix="bench-")
    try:
        arguments = given + numbers[len(given):]
        shown = work(os.path.join(scratch, "repo"), *arguments, *words)
    finally:
        shutil.rmtree(scratch, ignore_errors=True)
    print(json.dumps(shown), flush=True)
    os._exit(0)  # threads that still rebase are not waited for


if __name__ == "__main__":
    main()
