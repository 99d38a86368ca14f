#!/usr/bin/env python3
"""Checks a tree that `icefield sample-source` wrote against two independent readers.

For every data file: the `.idx` beside it names exactly the messages that a scan finds, at their
offsets and with the file's initialization; each message decodes to the same values, with the same
missing points, in ecCodes and in gribberish, and north row first through gribberish's Zarr codec;
no two messages of a file hold the same field, unless both are constant.

Usage: check_tree.py DIR [--every N]    (N > 1: only each N-th message is decoded)
"""
import argparse
import asyncio
import hashlib
import pathlib
import re
import struct
import sys

import eccodes
import numpy as np
from gribberish import parse_grib_array
from gribberish.zarr.codec import GribberishCodec

LINE = re.compile(r"^(\d+):(\d+):d=(\d{10}):([^:]+):([^:]+):([^:]+):$")
SHAPE = (1059, 1799)
MISSING = -1.0e30


def scan(data: bytes) -> list[tuple[int, int]]:
    """(offset, length) of each message; they must fill the file."""
    found = []
    at = 0
    while at < len(data):
        if data[at : at + 4] != b"GRIB" or data[at + 7] != 2:
            raise ValueError(f"no GRIB2 message at {at}")
        (length,) = struct.unpack(">Q", data[at + 8 : at + 16])
        if data[at + length - 4 : at + length] != b"7777":
            raise ValueError(f"message at {at} does not end with 7777")
        found.append((at, length))
        at += length
    return found


def decode_eccodes(message: bytes) -> tuple[np.ndarray, dict]:
    handle = eccodes.codes_new_from_message(message)
    try:
        eccodes.codes_set_double(handle, "missingValue", MISSING)
        values = eccodes.codes_get_double_array(handle, "values")
        keys = {
            key: eccodes.codes_get(handle, key)
            for key in ("packingType", "decimalScaleFactor", "scanningMode", "dataDate",
                        "dataTime", "centre", "endStep")
        }
    finally:
        eccodes.codes_release(handle)
    return np.where(values == MISSING, np.nan, values), keys


class ChunkSpec:
    """What the codec asks of an array specification."""

    shape = SHAPE

    class dtype:
        @staticmethod
        def to_native_dtype():
            return np.dtype("float64")

    class prototype:
        class nd_buffer:
            @staticmethod
            def from_ndarray_like(values):
                return values


def decode_codec(message: bytes, var: str) -> np.ndarray:
    from zarr.core.buffer import default_buffer_prototype

    codec = GribberishCodec.from_dict({"name": "gribberish", "configuration": {
        "var": var, "adjust_longitude_range": True, "north_up": True}})
    buffer = default_buffer_prototype().buffer.from_bytes(message)
    return asyncio.run(codec._decode_single(buffer, ChunkSpec))


def check_message(message: bytes, stamp: str, element: str) -> tuple[list[str], str, np.ndarray]:
    problems = []
    values, keys = decode_eccodes(message)
    if f"{keys['dataDate']}{keys['dataTime'] // 100:02d}" != stamp:
        problems.append(f"initialized {keys['dataDate']} {keys['dataTime']}, index says {stamp}")
    if keys["scanningMode"] != 64 or keys["centre"] != "kwbc":
        problems.append(f"scanning mode {keys['scanningMode']}, centre {keys['centre']}")
    other = np.asarray(parse_grib_array(message, 0)).reshape(-1)
    if not np.array_equal(np.isnan(values), np.isnan(other)):
        problems.append("missing points differ between ecCodes and gribberish")
    # two right decoders differ in the last places where they scale by powers of ten
    room = 8 * np.spacing(np.nanmax(np.abs(values))) if keys["decimalScaleFactor"] else 0.0
    worst = np.nanmax(np.abs(values - other))
    if not worst <= room:
        problems.append(f"ecCodes and gribberish differ by {worst}")
    north_first = decode_codec(message, element)
    if not np.array_equal(north_first, other.reshape(SHAPE)[::-1], equal_nan=True):
        problems.append("the Zarr codec does not give the rows from north to south")
    return problems, keys["packingType"], values


def check_file(path: pathlib.Path, every: int, packings: dict[str, int]) -> list[str]:
    data = path.read_bytes()
    found = scan(data)
    stamp = path.parts[-3].removeprefix("hrrr.") + path.name[6:8]
    problems = []
    lines = path.with_name(path.name + ".idx").read_text().splitlines()
    if len(lines) != len(found):
        problems.append(f"{len(lines)} index lines for {len(found)} messages")
    seen_keys = set()
    seen_fields = {}
    for place, (line, (offset, length)) in enumerate(zip(lines, found, strict=False)):
        match = LINE.match(line)
        if not match or int(match[1]) != place + 1 or int(match[2]) != offset or match[3] != stamp:
            problems.append(f"line {place + 1}: {line}, message is at {offset}")
            continue
        if (key := match.groups()[3:]) in seen_keys:
            problems.append(f"line {place + 1}: {key} comes twice")
        seen_keys.add(key)
        if place % every:
            continue
        wrong, packing, values = check_message(data[offset : offset + length], stamp, match[4])
        problems += [f"line {place + 1} ({match[4]}, {match[5]}): {text}" for text in wrong]
        packings[packing] = packings.get(packing, 0) + 1
        if length > 212:
            digest = hashlib.sha256(values.tobytes()).digest()
            if digest in seen_fields:
                problems.append(f"line {place + 1} has the field of line {seen_fields[digest]}")
            seen_fields[digest] = place + 1
    return [f"{path.name}: {text}" for text in problems]


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("tree", type=pathlib.Path)
    parser.add_argument("--every", type=int, default=1)
    arguments = parser.parse_args()
    files = sorted(arguments.tree.rglob("*.grib2"))
    if not files:
        print(f"no GRIB files under {arguments.tree}")
        return 1
    packings: dict[str, int] = {}
    problems = []
    for path in files:
        problems += check_file(path, arguments.every, packings)
    print("\n".join(problems) or f"{len(files)} files agree; decoded: {packings}")
    return bool(problems)


if __name__ == "__main__":
    sys.exit(main())
