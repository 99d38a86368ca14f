"""Compares the coordinates of every field of GRIB files with ecCodes'.

usage: points_against_eccodes.py TOOL FILE...      (or ICEFIELD_SHARED set: its sample files)
TOOL is the icefield executable. Needs numpy and eccodes. Exit status 1 when a place differs by
more than 1e-3 degrees, or when ecCodes knows the places of a grid that TOOL refuses.
"""
import json
import os
import pathlib
import subprocess
import sys
import tempfile

import eccodes
import numpy

CLOSE = 1e-3  # ecCodes adds rounded increments up; ours come from both ends


def places(handle):
    latitudes = eccodes.codes_get_array(handle, "latitudes")
    longitudes = eccodes.codes_get_array(handle, "longitudes")
    return latitudes, longitudes


def difference(ours, theirs):
    """Largest distance in degrees; longitudes count less towards the poles."""
    (lat, lon), (lat2, lon2) = ours, theirs
    # the two libraries mark points off the earth differently
    known = ~(numpy.isnan(lat) | (numpy.abs(lat2) > 90) | (numpy.abs(lon2) > 400))
    turn = (lon - lon2 + 180) % 360 - 180
    away = numpy.hypot(lat - lat2, turn * numpy.cos(numpy.radians(lat)))[known]
    return float(away.max()) if away.size else 0.0


def straight(array, handle):
    """Every other row (or column, where those are stored one after the other) turned back: ecCodes
    gives places of alternating grids in that order."""
    try:
        if not eccodes.codes_get(handle, "alternativeRowScanning", int):
            return array.ravel()
    except eccodes.KeyValueNotFoundError:
        return array.ravel()
    lines = array.ravel().copy()
    if eccodes.codes_get(handle, "jPointsAreConsecutive", int):
        lines = lines.reshape(array.shape[1], array.shape[0])
    else:
        lines = lines.reshape(array.shape)
    lines[1::2] = lines[1::2, ::-1]
    return lines.ravel()


def check(tool, path):
    bad = 0
    seen = set()
    eccodes.codes_grib_multi_support_on()
    with tempfile.TemporaryDirectory() as folder, open(path, "rb") as file:
        subprocess.run([tool, "grib", "decode", path, "--out", folder, "--coordinates"], check=True,
                       stderr=subprocess.DEVNULL)
        errors = {}
        if os.path.exists(f"{folder}/errors.json"):
            errors = json.load(open(f"{folder}/errors.json"))
        index = -1
        while True:
            try:
                handle = eccodes.codes_grib_new_from_file(file)
            except (eccodes.CodesInternalError, eccodes.KeyValueNotFoundError):
                break  # a broken file: nothing to compare behind this point
            if handle is None:
                break
            index += 1
            try:
                kind = eccodes.codes_get(handle, "gridType")
                digest = eccodes.codes_get(handle, "md5GridSection", str)
                if digest in seen:
                    continue
                seen.add(digest)
                theirs = places(handle)
            except (eccodes.CodesInternalError, eccodes.KeyValueNotFoundError):
                continue  # a grid whose places ecCodes does not know
            name = f"{folder}/{index:05d}"
            if not os.path.exists(name + ".latitude.npy"):
                print(f"{path} #{index} {kind}: no places: {errors.get(str(index))}")
                bad += 1
                continue
            if kind == "rotated_gg":
                continue  # ecCodes does not turn these
            if kind.endswith("_gg") and eccodes.codes_get(handle, "jPointsAreConsecutive", int):
                continue  # ecCodes gives the places of rows for them
            ours = [straight(numpy.load(f"{name}.{axis}.npy"), handle)
                    for axis in ("latitude", "longitude")]
            if ours[0].size != theirs[0].size:
                print(f"{path} #{index} {kind}: {ours[0].size} places, ecCodes has {theirs[0].size}")
                bad += 1
                continue
            if kind == "space_view":  # ecCodes takes the first point for the north-western one
                ours = [axis[::-1] for axis in ours]
            away = difference(ours, theirs)
            good = away <= CLOSE
            bad += not good
            print(f"{path} #{index} {kind}: {away:.2e} {'' if good else 'DIFFERS'}")
    return bad


def main():
    tool, *files = sys.argv[1:]
    if not files:
        root = pathlib.Path(os.environ["ICEFIELD_SHARED"]) / "data" / "grib"
        manifest = json.load(open(root / "manifest.json"))
        files = [str(root / entry["path"]) for entry in manifest["files"]]
    return 1 if sum(check(tool, path) for path in files) else 0


if __name__ == "__main__":
    sys.exit(main())
