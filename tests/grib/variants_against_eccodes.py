"""Encodes messages of every kind with ecCodes and compares what TOOL reads with what ecCodes reads.

usage: variants_against_eccodes.py TOOL [SEED]
TOOL is the icefield executable. Needs numpy and eccodes. Kinds: every packing by bits, scales and
bitmap; edition 1 with second order; complex packings made bit by bit (groups, missing values,
spatial differences); grids by scanning mode; products by template, time unit and surface. Values
must be equal to the bit, missing points and keys equal. Exit status 1 with a line per difference.
"""
import json
import os
import pathlib
import signal
import struct
import subprocess
import sys
import tempfile

import eccodes as ec
import numpy as np

sys.path.insert(0, str(pathlib.Path(__file__).parents[1] / "golden" / "grib"))
from decode_make import Bits, joined, sections  # noqa: E402

MARK = 3.0e38
NI, NJ = 31, 17
KEYS = ("edition", "discipline", "dataDate", "dataTime", "stepRange", "typeOfFirstFixedSurface",
        "scaleFactorOfFirstFixedSurface", "scaledValueOfFirstFixedSurface", "perturbationNumber")


def values_of(kind, n, random):
    at = np.arange(n)
    return {"smooth": 280 + 10 * np.sin(at / 17) + 3 * np.cos(at / 5),
            "rain": np.maximum(random.normal(-2, 3, n), 0),
            "large": 1e7 * np.sin(at / 9), "constant": np.full(n, 273.15)}[kind]


def encode(sample, values, missing, keys):
    handle = ec.codes_grib_new_from_samples(sample)
    later = {key: keys.pop(key) for key in tuple(keys) if key.startswith("late_")}
    for key, value in keys.items():
        ec.codes_set(handle, key, value)
    if values is not None:
        values = np.array(values, dtype=float)
        if missing is not None:
            ec.codes_set(handle, "bitmapPresent", 1)
            ec.codes_set(handle, "missingValue", MARK)
            values[missing] = MARK
        ec.codes_set_values(handle, values)
    for key, value in later.items():
        ec.codes_set(handle, key.removeprefix("late_"), value)
    return ec.codes_get_message(handle)


def message(sample, values=None, missing=None, **keys):
    """One message; nothing where ecCodes cannot make it. Made by a process of its own, since some
    combinations end its encoder and others keep it for ever."""
    ours, theirs = os.pipe()
    child = os.fork()
    if child == 0:
        signal.setitimer(signal.ITIMER_PROF, 2)
        os.dup2(os.open(os.devnull, os.O_WRONLY), 2)
        try:
            with os.fdopen(theirs, "wb") as out:
                out.write(encode(sample, values, missing, keys))
        finally:
            os._exit(0)
    os.close(theirs)
    with os.fdopen(ours, "rb") as made:
        whole = made.read()
    os.waitpid(child, 0)
    return whole or None


def packings(random):
    size = {"Ni": NI, "Nj": NJ}
    masks = (None, random.random(NI * NJ) < 0.2, np.ones(NI * NJ, bool))
    for packing in ("simple", "complex", "complex_spatial_differencing", "jpeg", "png", "ccsds",
                    "simple_log_preprocessing", "ieee"):
        for bits in (1, 5, 8, 11, 16, 17, 24):
            for kind in ("smooth", "rain", "large", "constant"):
                for mask in masks:
                    yield message("regular_ll_sfc_grib2", values_of(kind, NI * NJ, random), mask, **size,
                                  packingType=f"grid_{packing}", bitsPerValue=bits)
        for scale in (-3, -1, 2, 5):
            yield message("regular_ll_sfc_grib2", values_of("smooth", NI * NJ, random), **size,
                          packingType=f"grid_{packing}", decimalScaleFactor=scale)


def edition_1(random):
    size = {"Ni": NI, "Nj": NJ}
    for packing in ("simple", "ieee", "second_order", "second_order_no_SPD", "second_order_SPD1",
                    "second_order_SPD2", "second_order_SPD3", "second_order_row_by_row",
                    "second_order_no_boustrophedonic"):
        for bits in (12, 24):
            for kind in ("smooth", "rain", "constant"):
                yield message("regular_ll_sfc_grib1", values_of(kind, NI * NJ, random), **size,
                              bitsPerValue=bits, packingType=f"grid_{packing}")
    for indicator in (0, 1, 2, 3, 4, 5, 10, 113, 118, 119, 123):
        for unit in (0, 1, 11, 13, 254):
            for first, second in ((0, 6), (200, 250)):
                yield message("regular_ll_sfc_grib1", range(6), Ni=3, Nj=2, timeRangeIndicator=indicator,
                              indicatorOfUnitOfTimeRange=unit, P1=first, P2=second)


def products(_random):
    for template in (*range(16), *range(40, 50), 55, *range(59, 64), *range(70, 74), *range(76, 88), 91,
                     *range(103, 113), *range(128, 132)):
        for unit, time in ((0, 90), (1, -6), (11, 2), (13, 3600), (13, 0)):
            yield message("regular_ll_sfc_grib2", range(6), Ni=3, Nj=2,
                          productDefinitionTemplateNumber=template,
                          late_indicatorOfUnitOfTimeRange=unit, late_forecastTime=time)
        for unit, length in ((0, 15), (2, 1)):
            yield message("regular_ll_sfc_grib2", range(6), Ni=3, Nj=2,
                          productDefinitionTemplateNumber=template, late_forecastTime=6,
                          late_indicatorOfUnitForTimeRange=unit, late_lengthOfTimeRange=length)
    for surface in (1, 100, 101, 103, 105, 106, 107, 109, 151, 200):
        for factor, value in ((0, 2), (2, 10), (-2, 850), (127, 5)):
            yield message("regular_ll_sfc_grib2", range(6), Ni=3, Nj=2, typeOfFirstFixedSurface=surface,
                          late_scaleFactorOfFirstFixedSurface=factor,
                          late_scaledValueOfFirstFixedSurface=value)


def grids(random):
    for grid in ("regular_ll_sfc", "rotated_ll_sfc", "regular_gg_sfc", "reduced_gg_pl_32",
                 "reduced_ll_sfc", "polar_stereographic_pl", "reduced_rotated_gg_pl_32"):
        for edition in (1, 2):
            for flags in range(0, 256, 32 if edition == 1 else 16):
                handle = ec.codes_grib_new_from_samples(f"{grid}_grib{edition}")
                points = ec.codes_get(handle, "numberOfDataPoints", int)
                ec.codes_release(handle)
                yield message(f"{grid}_grib{edition}", values_of("smooth", points, random),
                              bitsPerValue=16, late_scanningMode=flags)


def signed(value, octets):
    number = -value | 1 << (8 * octets - 1) if value < 0 else value
    return number.to_bytes(octets, "big")


def groups(random, points):
    """Sections 5 and 7 of a complex packing of `points` values, with everything drawn at random."""
    def draw(*bounds):
        return int(random.integers(*bounds))
    differences, order = random.random() < 0.6, draw(1, 3)
    bits, least_width, width_bits, length_bits = draw(1, 25), draw(0, 4), draw(0, 5), draw(0, 5)
    least_length, increment = draw(1, 12), draw(1, 4)
    references, widths, lengths, numbers = Bits(), Bits(), Bits(), Bits()
    left, count, last = points, 0, 0
    while left > 0:
        code = draw(0, 1 << length_bits)
        last = min(least_length + increment * code, left)
        width_code = draw(0, 1 << width_bits)
        width = least_width + width_code
        references.put(draw(0, 1 << bits) if random.random() < 0.8 else (1 << bits) - 1, bits)
        widths.put(width_code, width_bits)
        lengths.put(code, length_bits)
        for _ in range(last):
            top = (1 << width) - 1
            numbers.put(max(top - draw(0, 2), 0) if random.random() < 0.2 else draw(0, top + 1), width)
        left -= last
        count += 1
    octets = draw(1, 5) if differences else 0
    top = 1 << min(8 * octets - 1, 20) if octets else 1
    first = b"".join(signed(draw(0, top), octets) for _ in range(order)) if octets else b""
    least = signed(draw(1 - top, top), octets) if octets else b""
    section5 = (points.to_bytes(4, "big") + (3 if differences else 2).to_bytes(2, "big")
                + struct.pack(">f", random.normal(0, 100)) + signed(draw(-12, 6), 2) + signed(draw(-2, 5), 2)
                + bytes([bits, 0, 1, draw(0, 3)]) + b"\xff" * 8 + count.to_bytes(4, "big")
                + bytes([least_width, width_bits]) + least_length.to_bytes(4, "big") + bytes([increment])
                + last.to_bytes(4, "big") + bytes([length_bits]) + (bytes([order, octets]) if octets else b""))
    section7 = first + least + b"".join(part.octets() for part in (references, widths, lengths, numbers))
    return {number: (len(body) + 5).to_bytes(4, "big") + bytes([number]) + body
            for number, body in ((5, section5), (7, section7))}


def complex_groups(random):
    for _ in range(300):
        ni, nj = int(random.choice([3, 8, 17, 40, 70])), int(random.choice([1, 4, 9, 33]))
        whole = message("regular_ll_sfc_grib2", np.arange(ni * nj), Ni=ni, Nj=nj)
        made = groups(random, ni * nj)
        yield joined(whole[:16], [made.get(part[4], part) for part in sections(whole)])


def expected(handle):
    if ec.codes_get(handle, "edition", int) == 1:
        return ec.codes_get_values(handle)  # none of those made here has missing points
    ec.codes_set(handle, "missingValue", MARK)
    values = ec.codes_get_values(handle)
    return np.where(values == MARK, np.nan, values)


def differs(handle, field, values, error):
    """What TOOL reads differently; empty when nothing."""
    found = []
    for key in KEYS:
        try:
            kind = str if key == "stepRange" else int
            theirs = None if ec.codes_is_missing(handle, key) else ec.codes_get(handle, key, kind)
        except ec.CodesInternalError:
            continue
        if key in field and str(field[key]) != str(theirs):
            found.append(f"{key} {field[key]!r}, ecCodes {theirs!r}")
    try:
        theirs = expected(handle)
    except ec.CodesInternalError:
        return found  # made by ecCodes, but not readable to it
    if values is None:
        return [*found, f"not decoded: {error}"]
    same = np.array_equal(values.ravel(), theirs, equal_nan=True)
    return found if same else [*found, "values differ"]


def check(tool, name, messages):
    """Number of messages that differ, and of all."""
    messages = [one for one in messages if one is not None]
    bad = 0
    with tempfile.TemporaryDirectory() as folder:
        path = f"{folder}/{name}.grib"
        pathlib.Path(path).write_bytes(b"".join(messages))
        scanned = json.loads(subprocess.run([tool, "grib", "scan", path, "--json"], check=True,
                                            capture_output=True).stdout)["messages"]
        subprocess.run([tool, "grib", "decode", path, "--out", f"{folder}/out", "--dtype", "float64"],
                       check=True, capture_output=True)
        errors = {}
        if os.path.exists(f"{folder}/out/errors.json"):
            errors = json.load(open(f"{folder}/out/errors.json", encoding="utf-8"))
        if len(scanned) != len(messages):
            print(f"{name}: {len(scanned)} of {len(messages)} messages found")
            return len(messages), len(messages)
        for index, (one, field) in enumerate(zip(messages, scanned)):
            file = f"{folder}/out/{index:05d}.npy"
            values = np.load(file) if os.path.exists(file) else None
            handle = ec.codes_new_from_message(one)
            found = differs(handle, field, values, errors.get(str(index)))
            ec.codes_release(handle)
            bad += bool(found)
            for line in found:
                print(f"{name} #{index}: {line}")
    print(f"{name}: {len(messages)} messages, {bad} differ", flush=True)
    return bad, len(messages)


def main():
    tool, seed = sys.argv[1], int(sys.argv[2]) if len(sys.argv) > 2 else 1
    random = np.random.default_rng(seed)
    kinds = (complex_groups, products, grids, edition_1, packings)
    outcomes = [check(tool, kind.__name__, kind(random)) for kind in kinds]
    few = any(count < 100 for _, count in outcomes)
    if few:
        print("ecCodes made too few messages")
    return 1 if few or any(bad for bad, _ in outcomes) else 0


if __name__ == "__main__":
    sys.exit(main())
