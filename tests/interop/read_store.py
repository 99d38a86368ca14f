"""The official readers open a published store and give what ecCodes decodes from the sources.

    read_store.py STORE [--per-array N] [--absent N] [--facts DATASET_JSON]

--per-array N   compare at most N chunks of each array (default: all)
--absent N      read at most N chunks without a reference of each array (default: 1)
--facts FILE    also compare structure and sources with a table of the dataset's facts
"""

import argparse
import json
import random
import warnings

import numpy as np
import pyproj
import xarray

import grib_message
import official
from facts import check_facts
from report import Report

FLOAT32_STEPS = 2.0**-22  # of the largest value of a field: two steps of float32


def scaling(document: dict) -> tuple[float, float]:
    """(offset, scale) of the array's filter: decoded = encoded / scale + offset."""
    for codec in document["codecs"]:
        if codec["name"] == "scale_offset":
            chosen = codec.get("configuration", {})
            return float(chosen.get("offset", 0.0)), float(chosen.get("scale", 1.0))
    return 0.0, 1.0


def published(document: dict, message: grib_message.Message) -> np.ndarray:
    """What a reader should see of the message: filter applied, the marker of missing masked."""
    offset, scale = scaling(document)
    values = message.values / scale + offset
    if isinstance(document["fill_value"], (int, float)):
        values = np.where(values == document["fill_value"], np.nan, values)
    return values


def is_virtual(document: dict) -> bool:
    return document["node_type"] == "array" and any(
        codec["name"] == "gribberish" for codec in document["codecs"])


def sample(items: list, most: int | None) -> list:
    """First, last, and others by a fixed seed; all when `most` is None."""
    if most is None or len(items) <= most:
        return items
    inner = random.Random(1).sample(items[1:-1], max(0, most - 2))
    return [items[0], *sorted(inner), items[-1]][:most]


def idx_elements(path: str, memory: dict) -> dict[int, str]:
    """Element name of each message of a data file, by its offset."""
    if path not in memory:
        with open(path.removeprefix("file://") + ".idx", encoding="ascii") as file:
            rows = [line.split(":") for line in file if line.strip()]
        memory[path] = {int(row[1]): row[3] for row in rows}
    return memory[path]


def check_labels(report: Report, array, index: dict, message, what: str) -> None:
    cell = array.isel(index, drop=False)
    init = cell["init_time"].values.astype("datetime64[s]")
    lead = cell["lead_time"].values.astype("timedelta64[s]")
    report.check(init == message.init_time, f"{what}: {init} holds a message of {message.init_time}")
    report.check(init + lead == message.valid_time,
                 f"{what}: valid {init + lead}, the message says {message.valid_time}")
    if "pressure_level" in array.dims:
        level = float(cell["pressure_level"].values)
        report.check(level == message.pressure_hpa, f"{what}: {message.pressure_hpa} hPa inside")
    if "model_level" in array.dims:
        level = int(cell["model_level"].values)
        report.check(level == message.hybrid_level, f"{what}: level {message.hybrid_level} inside")


def compare_chunk(report: Report, array, document: dict, index: dict, message, what: str) -> None:
    seen = np.squeeze(array.isel(index).values)
    wanted = published(document, message)
    if not report.check(seen.shape == wanted.shape, f"{what}: shape {seen.shape}"):
        return
    report.check(np.array_equal(np.isnan(seen), np.isnan(wanted)),
                 f"{what}: NaN at {int(np.isnan(seen).sum())} points, the message has"
                 f" {int(np.isnan(wanted).sum())} missing")
    scale = scaling(document)[1]
    finite = np.abs(message.values[np.isfinite(message.values)])
    tolerance = FLOAT32_STEPS * float(finite.max(initial=0.0)) / abs(scale)
    with np.errstate(invalid="ignore"):
        worst = np.nanmax(np.abs(seen - wanted), initial=0.0)
    report.check(worst <= max(tolerance, 1e-30), f"{what}: differs by {worst}, allowed {tolerance}")


def chunk_selection(array, index: tuple) -> dict:
    """Index along each dimension that is chunked by one; whole along the grid's."""
    return {name: at for name, at in zip(array.dims, index) if name not in ("x", "y")}


def check_array(report: Report, tree, path: str, document: dict, references: dict,
                options, elements: dict) -> None:
    group, _, name = path.rpartition("/")
    array = tree["/" + group][name]
    codec = next(c for c in document["codecs"] if c["name"] == "gribberish")
    for index in sample(sorted(references), options.per_array):
        reference = references[index]
        what = f"{path} {index}"
        if not report.check(reference is not None, f"{what}: a native chunk in a virtual array"):
            continue
        here = idx_elements(reference.location, elements)
        report.check(reference.offset in here, f"{what}: no index line at {reference.offset}")
        element = codec["configuration"]["var"]
        report.check(here.get(reference.offset) in options.spellings.get(path, {element}),
                     f"{what}: index says {here.get(reference.offset)}, array says {element}")
        message = grib_message.decode(reference.read())
        selection = chunk_selection(array, index)
        check_labels(report, array, selection, message, what)
        compare_chunk(report, array, document, selection, message, what)

    for index in absent_places(array, references, options.absent):
        seen = array.isel(chunk_selection(array, index)).values
        report.check(np.isnan(seen).all(), f"{path} {index}: values without a reference")


def absent_places(array, references: dict, most: int) -> list[tuple]:
    """Up to `most` chunk indices without a reference: neighbours of present ones, and others."""
    shape = [array.sizes[d] if d not in ("x", "y") else 1 for d in array.dims]
    chance = random.Random(2)
    found: set[tuple] = set()
    for attempt in range(50 * most):
        index = [chance.randrange(length) for length in shape]
        if attempt % 2 == 0 and references:
            axis = chance.randrange(len(shape))
            near = list(chance.choice(list(references)))
            near[axis] = index[axis]
            index = near
        if tuple(index) not in references:
            found.add(tuple(index))
        if len(found) == most:
            break
    return sorted(found)


def check_coordinates(report: Report, tree) -> None:
    root = tree["/"]
    crs = pyproj.CRS.from_wkt(root["spatial_ref"].attrs["crs_wkt"])
    to_geographic = pyproj.Transformer.from_crs(crs, crs.geodetic_crs, always_xy=True)
    x, y = np.meshgrid(root["x"].values, root["y"].values)
    for name, exact in zip(("longitude", "latitude"), to_geographic.transform(x, y)):
        stored = root[name].values
        # Stored as float32: the stored value must be one that a value within 1e-6 rounds to.
        low, high = (exact - 1e-6).astype(stored.dtype), (exact + 1e-6).astype(stored.dtype)
        worst = np.abs(stored.astype(np.float64) - exact).max()
        report.check(((low <= stored) & (stored <= high)).all(),
                     f"{name} differs from PROJ's by up to {worst} degrees")
    report.check(bool(np.all(np.diff(root["y"].values) < 0)), "y does not fall: row 0 is not north")
    valid = root["init_time"].values[:, None] + root["lead_time"].values[None, :]
    report.check(np.array_equal(root["valid_time"].values, valid), "valid_time is not init + lead")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("store")
    parser.add_argument("--per-array", type=int)
    parser.add_argument("--absent", type=int, default=1)
    parser.add_argument("--facts")
    options = parser.parse_args()
    warnings.simplefilter("ignore")

    report = Report()
    repository = official.open_repository(options.store)
    session = repository.readonly_session("main")
    tree = xarray.open_datatree(session.store, engine="zarr", consolidated=False)
    documents = official.documents(session)
    groups = {"/" + path for path, one in documents.items() if one["node_type"] == "group"}
    report.check(set(tree.groups) == groups, f"open_datatree shows {tree.groups}")

    facts = json.loads(open(options.facts, encoding="utf-8").read()) if options.facts else None
    options.spellings = {}
    if facts:
        options.spellings = check_facts(report, facts, documents, tree)

    prefixes = official.containers(repository)
    elements: dict = {}
    total = 0
    for path, document in sorted(documents.items()):
        if not is_virtual(document):
            continue
        references = official.references(session, prefixes, path)
        total += len(references)
        check_array(report, tree, path, document, references, options, elements)
    report.check(total > 0, "no reference at all")
    print(f"{total} references in {sum(map(is_virtual, documents.values()))} virtual arrays")
    check_coordinates(report, tree)
    report.close()


if __name__ == "__main__":
    main()
