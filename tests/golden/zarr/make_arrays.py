"""Writes the arrays of this folder with zarr-python: one folder per case with zarr.json, its chunks,
and values.bin (the whole array in C order, little-endian)."""
import pathlib
import shutil
import sys

import numpy as np
import zarr
from zarr.codecs import (BloscCodec, BytesCodec, Crc32cCodec, GzipCodec, ScaleOffset, ShardingCodec,
                         TransposeCodec, ZstdCodec)
from zarr.storage import LocalStore

LITTLE = BytesCodec(endian="little")


def ramp(dtype, shape):
    count = int(np.prod(shape))
    return ((np.arange(count) * 7) % 251 - 90).astype(dtype).reshape(shape)


def with_holes(shape):
    values = ramp("float32", shape)
    values[:4, :6] = np.nan
    return values


def blosc(cname, shuffle, typesize):
    return BloscCodec(cname=cname, shuffle=shuffle, clevel=3, typesize=typesize, blocksize=0)


def sharding(location):
    return ShardingCodec(chunk_shape=(4, 3), codecs=[LITTLE, blosc("zstd", "shuffle", 4)],
                         index_codecs=[LITTLE, Crc32cCodec()], index_location=location)


# name: values, chunk shape, fill value, filters, serializer, compressors, key encoding
CASES = {
    "bytes_little": (ramp("float64", (5, 7)), (2, 3), np.nan, [], LITTLE, [], None),
    "bytes_big": (ramp("int32", (5, 7)), (2, 3), -1, [], BytesCodec(endian="big"), [], None),
    "one_byte": (ramp("int8", (9,)), (4,), 0, [], LITTLE, [], None),
    "truth": (ramp("int8", (9,)) > -60, (4,), False, [], LITTLE, [], None),
    "blosc_zstd": (ramp("float64", (40, 30)), (16, 16), np.nan, [], LITTLE,
                   [blosc("zstd", "shuffle", 8)], None),
    "blosc_lz4": (ramp("int16", (40, 30)), (16, 16), -1, [], LITTLE,
                  [blosc("lz4", "bitshuffle", 2)], None),
    "blosc_lz4hc": (ramp("uint32", (40, 30)), (16, 16), 3, [], LITTLE,
                    [blosc("lz4hc", "noshuffle", 4)], None),
    "blosc_blosclz": (ramp("int64", (40, 30)), (16, 16), 0, [], LITTLE,
                      [blosc("blosclz", "shuffle", 8)], None),
    "blosc_zlib": (ramp("float32", (40, 30)), (16, 16), 0, [], LITTLE,
                   [blosc("zlib", "shuffle", 4)], None),
    "zstd": (ramp("int64", (40, 30)), (16, 16), 0, [], LITTLE,
             [ZstdCodec(level=0, checksum=False)], None),
    "zstd_checksum": (ramp("int64", (40, 30)), (16, 16), 0, [], LITTLE,
                      [ZstdCodec(level=5, checksum=True)], None),
    "gzip": (ramp("int64", (40, 30)), (16, 16), 0, [], LITTLE, [GzipCodec(level=5)], None),
    "crc32c": (ramp("int16", (5, 7)), (2, 3), 0, [], LITTLE, [Crc32cCodec()], None),
    "two_compressors": (ramp("int64", (40, 30)), (16, 16), 0, [], LITTLE,
                        [GzipCodec(level=1), ZstdCodec(level=3), Crc32cCodec()], None),
    "transpose": (ramp("float32", (5, 7, 4)), (2, 3, 4), 0, [TransposeCodec(order=(2, 0, 1))],
                  LITTLE, [], None),
    "scale_offset": (ramp("float64", (5, 7)), (2, 3), 0.0, [ScaleOffset(offset=-273.15, scale=4.0)],
                     LITTLE, [], None),
    "sharding_end": (with_holes((16, 12)), (8, 6), np.nan, [], sharding("end"), [], None),
    "sharding_start": (with_holes((16, 12)), (8, 6), np.nan, [], sharding("start"), [], None),
    "scalar": (np.array(7, dtype="int64"), (), 0, [], LITTLE, [ZstdCodec(level=0)], None),
    "v2_keys": (ramp("int16", (5, 7)), (2, 3), 0, [], LITTLE, [],
                {"name": "v2", "separator": "."}),
    "dot_keys": (ramp("int16", (5, 7)), (2, 3), 0, [], LITTLE, [],
                 {"name": "default", "separator": "."}),
}


def main(folder):
    for name, (values, chunks, fill, filters, serializer, compressors, keys) in CASES.items():
        place = folder / name
        shutil.rmtree(place, ignore_errors=True)
        sharded = isinstance(serializer, ShardingCodec)
        array = zarr.create_array(
            LocalStore(place), shape=values.shape, dtype=values.dtype, fill_value=fill,
            chunks=serializer.chunk_shape if sharded else chunks, shards=chunks if sharded else None,
            filters=filters or None, compressors=serializer.codecs[1:] if sharded else compressors,
            serializer=LITTLE if sharded else serializer, chunk_key_encoding=keys,
            dimension_names=[f"d{i}" for i in range(values.ndim)] or None,
        ) if not sharded else zarr.Array.from_dict(
            zarr.storage.StorePath(LocalStore(place)),
            {"zarr_format": 3, "node_type": "array", "shape": values.shape,
             "data_type": "float32",
             "chunk_grid": {"name": "regular", "configuration": {"chunk_shape": chunks}},
             "chunk_key_encoding": {"name": "default", "configuration": {"separator": "/"}},
             "fill_value": "NaN", "codecs": [serializer.to_dict()], "attributes": {},
             "dimension_names": ["d0", "d1"]})
        if sharded:
            place.mkdir(parents=True)
            (place / "zarr.json").write_bytes(
                array.metadata.to_buffer_dict(
                    prototype=zarr.core.buffer.default_buffer_prototype())["zarr.json"].to_bytes())
            array = zarr.open_array(LocalStore(place))
        array[...] = values
        (place / "values.bin").write_bytes(values.tobytes())


if __name__ == "__main__":
    main(pathlib.Path(sys.argv[1] if len(sys.argv) > 1 else __file__).resolve().parent / "arrays")
