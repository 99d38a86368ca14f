"""References equal the vectors that the reference implementation computed.

Needs ICEFIELD_SHARED (the folder with spec/vectors and data/index) and ICEFIELD (the program).

For each real index, a provider's tree is made in which the data file has the vector's size and holds
a message header wherever the index says that one begins; a backfill of that one position must
reference exactly what the vector lists, and nothing for the file that is too short.
"""

import json
import os
import pathlib
import struct
import subprocess
import sys
import tempfile
from dataclasses import replace

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "interop"))

import official  # noqa: E402
from report import Report  # noqa: E402

DATASET = "noaa-hrrr-forecast-48-hour-virtual"
BUCKET = "s3://noaa-hrrr-bdp-pds/"
SHARED = pathlib.Path(os.environ["ICEFIELD_SHARED"])
ICEFIELD = str(pathlib.Path(os.environ["ICEFIELD"]).resolve())


def write_data_file(path: pathlib.Path, index: str, size: int) -> None:
    """A sparse file of `size` bytes with section 0 and the end marker of each message in the index."""
    offsets = [int(line.split(":")[1]) for line in index.splitlines() if line]
    path.parent.mkdir(parents=True, exist_ok=True)
    with open(path, "wb") as file:
        for begin, end in zip(offsets, [*offsets[1:], size]):
            if end > size:
                break
            file.seek(begin)
            file.write(b"GRIB\0\0\0\2" + struct.pack(">Q", end - begin))
            file.seek(end - 4)
            file.write(b"7777")
        file.truncate(size)


def backfill(scratch: pathlib.Path, vector: dict) -> dict:
    """References that a backfill of the vector's position made, by (array, chunk index)."""
    index = (SHARED / "data/index" / vector["index"]).read_text()
    data = scratch / "tree" / vector["location"].removeprefix(BUCKET)
    write_data_file(data, index, vector["file_size"])
    data.with_name(data.name + ".idx").write_text(index)
    day = vector["init_time"][:10]
    ran = subprocess.run(
        [ICEFIELD, DATASET, "backfill-local", f"{day}T06:00:00", "--filter-contains",
         f"{day}T00:00:00", "--source", f"{BUCKET}=file://{scratch}/tree/", "--json"],
        cwd=scratch, capture_output=True, text=True, check=False)
    if ran.returncode == 1 and "nothing was published" in ran.stderr:
        return {}
    if ran.returncode not in (0, 3):
        raise RuntimeError(ran.stderr)
    result = json.loads(ran.stdout.splitlines()[-1])
    session = official.open_repository(result["store"]).readonly_session("main")
    prefixes = {"noaa-hrrr-bdp-pds": BUCKET}
    tree = f"file://{scratch}/tree/"  # what readers see of the container
    found = {}
    for path, document in official.documents(session).items():
        if document["node_type"] == "array" and document["codecs"][-1]["name"] == "gribberish":
            for place, reference in official.references(session, prefixes, path).items():
                location = reference.location.replace(tree, BUCKET, 1)
                found[path, place] = replace(reference, location=location)
    return found


def check_references(report: Report, vector: dict) -> None:
    what = f"{vector['index']} of {vector['file_size']} bytes"
    with tempfile.TemporaryDirectory(prefix="icefield-vectors-") as folder:
        found = backfill(pathlib.Path(folder).resolve(), vector)
    wanted = {(one["var"], tuple(one["chunk_index"])):
              official.Reference(vector["location"], one["offset"], one["length"])
              for one in vector["refs"]}
    for place in wanted.keys() | found.keys():
        report.check(wanted.get(place) == found.get(place),
                     f"{what}: {place}: {found.get(place)}, not {wanted.get(place)}")
    report.check(len(found) == vector["n_refs"], f"{what}: {len(found)} references")


def main() -> None:
    report = Report()
    vectors = json.loads((SHARED / "spec/vectors/virtual_refs.json").read_text())
    for vector in vectors:
        if vector["dataset_id"] == DATASET:
            check_references(report, vector)
    report.close()


if __name__ == "__main__":
    main()
