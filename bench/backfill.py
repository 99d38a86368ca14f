"""A whole backfill beside its Python counterpart, in one run: files/s, references/s, CPU, memory.

    python bench/backfill.py --icefield build/release/icefield --facts FACTS.json [--inits 4] [--repeat 3]

FACTS.json holds the dataset's facts (its variables with element, level, file type and window reset).
Makes a provider's tree whose indexes name every message of the whole table (all levels) and whose
data files are sparse but for the message headers that the indexes point at. Then, in turns:

  icefield   backfill-local, index verification by sample (its default) and without (--verify-index none)
  python     the same files read, parsed line by line, looked up in a dictionary, staged with
             set_virtual_refs and committed by the official icechunk: one commit, windows as declared

Both publish into a new store on the same disk. The counterpart does not list, verify, or make the
dataset's metadata from a template: it copies the documents that icefield wrote. Prints one JSON line.
"""

import argparse
import json
import pathlib
import resource
import shutil
import statistics
import struct
import subprocess
import sys
import tempfile
import time

DATASET = "noaa-hrrr-forecast-48-hour-virtual"
START = "2018-07-13T12:00:00"
TYPES = ("sfc", "prs", "nat")


def window(variable, lead):
    reset = variable["source"].get("window_reset_frequency")
    if reset is None:
        return "anl" if lead == 0 else f"{lead} hour fcst"
    step = variable["attrs"]["step_type"]
    kind = {"accum": "acc", "avg": "ave"}.get(step, step)
    begin = 0 if reset == "forever" else lead - 1
    if begin == 0 and lead % 24 == 0:
        return f"0-{lead // 24} day {kind} fcst"
    return f"{begin}-{lead} hour {kind} fcst"


def messages(facts, kind, lead):
    """(element, level, window) -> [(array, level position)] of one file, in the table's order."""
    found = {}
    for variable in facts["data_vars"]:
        if variable["source"]["hrrr_file_type"] != kind:
            continue
        if lead == 0 and not variable["has_hour_0_values"]:
            continue
        pattern = variable["source"]["grib_index_level"]
        group = variable["group"]
        levels = facts["dimension_coordinates"].get(group, {}).get("values", [None])
        for position, level in enumerate(levels):
            key = (variable["source"]["grib_element"], pattern.replace("{level}", str(level)),
                   window(variable, lead))
            found.setdefault(key, []).append(
                (variable["path"], None if level is None else position))
    return found


def make_tree(root, facts, inits, leads):
    files = []
    for init in range(inits):
        hour = 12 + 6 * init
        day, hour = 13 + hour // 24, hour % 24
        for lead in range(leads):
            for kind in TYPES:
                folder = root / f"hrrr.201807{day:02d}" / "conus"
                folder.mkdir(parents=True, exist_ok=True)
                path = folder / f"hrrr.t{hour:02d}z.wrf{kind}f{lead:02d}.grib2"
                offset, lines = 0, []
                with open(path, "wb") as data:
                    for number, (element, level, label) in enumerate(messages(facts, kind, lead), 1):
                        length = 200_000 + (number * 7919 + lead * 104729) % 1_900_000
                        lines.append(f"{number}:{offset}:d=201807{day:02d}{hour:02d}:"
                                     f"{element}:{level}:{label}:\n")
                        data.seek(offset)
                        data.write(b"GRIB\0\0\0\2" + struct.pack(">Q", length))
                        offset += length
                    data.truncate(offset)
                path.with_name(path.name + ".idx").write_text("".join(lines))
                files.append((init, lead, kind, path))
    return files


def run_icefield(program, scratch, tree, end, extra):
    shutil.rmtree(scratch / "data", ignore_errors=True)
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    began = time.monotonic()
    ran = subprocess.run(
        [program, DATASET, "backfill-local", end, "--json", *extra,
         "--source", f"s3://noaa-hrrr-bdp-pds/=file://{tree}/"],
        cwd=scratch, capture_output=True, text=True, check=False)
    wall = time.monotonic() - began
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    if ran.returncode != 0:
        sys.exit(ran.stderr)
    report = json.loads(ran.stdout.splitlines()[-1])
    cpu = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    return report, {"wall_s": wall, "cpu_s": cpu}


COUNTERPART = r"""
import json, pathlib, resource, sys, time
import icechunk
sys.path.insert(0, sys.argv[1])
from backfill import messages
job = json.load(open(sys.argv[2]))
facts = json.load(open(job["facts"]))
source = icechunk.Repository.open(icechunk.local_filesystem_storage(job["like"]))
config = icechunk.RepositoryConfig.default()
config.set_virtual_chunk_container(icechunk.VirtualChunkContainer(
    "file://" + job["tree"] + "/", icechunk.local_filesystem_store(job["tree"])))
split = icechunk.ManifestSplittingConfig.from_dict({
    icechunk.ManifestSplitCondition.path_matches("^/pressure_level/"):
        {icechunk.ManifestSplitDimCondition.DimensionName("init_time"): 90},
    icechunk.ManifestSplitCondition.path_matches("^/model_level/"):
        {icechunk.ManifestSplitDimCondition.DimensionName("init_time"): 80},
    icechunk.ManifestSplitCondition.AnyArray():
        {icechunk.ManifestSplitDimCondition.DimensionName("init_time"): 600}})
config.manifest = icechunk.ManifestConfig(splitting=split)
repository = icechunk.Repository.create(icechunk.local_filesystem_storage(job["store"]), config)
documents = source.readonly_session("main").store
from zarr.core.sync import sync
from zarr.core.buffer import default_buffer_prototype
async def copy(target):
    for key in job["documents"]:
        await target.set(key, await documents.get(key, default_buffer_prototype()))
session = repository.writable_session("main")
sync(copy(session.store))
session.commit("expand")
before = resource.getrusage(resource.RUSAGE_SELF)
began = time.monotonic()
tables, references = {}, {}
for init, lead, kind, path in job["files"]:
    table = tables.get((lead, kind)) or tables.setdefault((lead, kind), messages(facts, kind, lead))
    size = pathlib.Path(path).stat().st_size
    lines = [line.split(":") for line in pathlib.Path(path + ".idx").read_text().splitlines()]
    starts = [int(line[1]) for line in lines]
    for line, start, end in zip(lines, starts, [*starts[1:], size]):
        for array, level in table.get((line[3], line[4], line[5]), ()):
            index = [init, lead, 0, 0] if level is None else [init, lead, 0, 0, level]
            references.setdefault(array, []).append(icechunk.VirtualChunkSpec(
                index, "file://" + path, start, end - start))
session = repository.writable_session("main")
for array, specs in references.items():
    session.store.set_virtual_refs(array, specs, validate_containers=True)
session.commit("add")
after = resource.getrusage(resource.RUSAGE_SELF)
print(json.dumps({"references": sum(map(len, references.values())),
                  "wall_s": time.monotonic() - began,
                  "cpu_s": after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime,
                  "peak_rss_mib": after.ru_maxrss / 1024}))
"""


def run_counterpart(scratch, job):
    shutil.rmtree(job["store"], ignore_errors=True)
    (scratch / "job.json").write_text(json.dumps(job))
    ran = subprocess.run([sys.executable, "-c", COUNTERPART, str(pathlib.Path(__file__).parent),
                          str(scratch / "job.json")],
                         capture_output=True, text=True, check=False)
    if ran.returncode != 0:
        sys.exit(ran.stderr)
    return json.loads(ran.stdout.splitlines()[-1])


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--icefield", required=True)
    parser.add_argument("--facts", required=True)
    parser.add_argument("--inits", type=int, default=4)
    parser.add_argument("--leads", type=int, default=49)
    parser.add_argument("--repeat", type=int, default=3)
    parser.add_argument("--scratch", help="folder for tree and stores; best in memory (/dev/shm)")
    options = parser.parse_args()
    program = str(pathlib.Path(options.icefield).resolve())
    facts = json.loads(pathlib.Path(options.facts).read_text())
    with tempfile.TemporaryDirectory(dir=options.scratch) as name:
        scratch = pathlib.Path(name)
        files = make_tree(scratch / "tree", facts, options.inits, options.leads)
        hour = 12 + 6 * options.inits
        end = f"2018-07-{13 + hour // 24}T{hour % 24:02d}:00:00"
        runs = {"icefield": [], "icefield_unverified": [], "python": []}
        for _ in range(options.repeat):
            report, figures = run_icefield(program, scratch, scratch / "tree", end, [])
            runs["icefield"].append(figures)
            references = report["references"]
            runs["icefield_unverified"].append(run_icefield(
                program, scratch, scratch / "tree", end, ["--verify-index", "none"])[1])
            tree = json.loads(subprocess.run([program, "store", "ls", report["store"], "--json"],
                                             capture_output=True, text=True, check=True).stdout)
            made = run_counterpart(scratch, {
                "documents": [(node["path"] + "/zarr.json").lstrip("/") for node in tree],
                "facts": str(pathlib.Path(options.facts).resolve()), "tree": str(scratch / "tree"),
                "store": str(scratch / "python.icechunk"), "like": report["store"],
                "files": [[init, lead, kind, str(path)] for init, lead, kind, path in files]})
            if made["references"] != references:
                sys.exit(f"the counterpart made {made['references']} references, not {references}")
            runs["python"].append(made)
        result = {"files": len(files), "references": references}
        for side, values in runs.items():
            wall = statistics.median(run["wall_s"] for run in values)
            cpu = statistics.median(run["cpu_s"] for run in values)
            result[side] = {"wall_s": round(wall, 3), "cpu_s": round(cpu, 3),
                            "files_per_s": round(len(files) / wall),
                            "references_per_s": round(references / wall)}
        result["wall_ratio"] = round(result["python"]["wall_s"] / result["icefield"]["wall_s"], 1)
        result["cpu_ratio"] = round(result["python"]["cpu_s"] / result["icefield"]["cpu_s"], 1)
        print(json.dumps(result))


if __name__ == "__main__":
    main()
