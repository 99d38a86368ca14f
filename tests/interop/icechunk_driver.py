"""The icechunk_driver program as an object: one method call per command."""

from __future__ import annotations

import json
import subprocess

GROUP = json.dumps({"zarr_format": 3, "node_type": "group", "attributes": {}})


def array_json(shape, chunks=None, names=None, attributes=None) -> str:
    """An int32 array; chunks of one element unless told otherwise."""
    document = {
        "zarr_format": 3,
        "node_type": "array",
        "shape": list(shape),
        "data_type": "int32",
        "chunk_grid": {
            "name": "regular",
            "configuration": {"chunk_shape": list(chunks or [1] * len(shape))},
        },
        "chunk_key_encoding": {"name": "default", "configuration": {"separator": "/"}},
        "fill_value": 0,
        "codecs": [{"name": "bytes", "configuration": {"endian": "little"}}],
        "attributes": attributes or {},
    }
    if names:
        document["dimension_names"] = list(names)
    return json.dumps(document)


class DriverError(Exception):
    """What the library answered; `code` is the number of its ErrorCode."""

    def __init__(self, text: str, code: int):
        super().__init__(text)
        self.code = code


CONFLICT = 1


class Driver:
    def __init__(self, program: str):
        self.process = subprocess.Popen(
            [program], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
        )

    def __call__(self, op: str, **arguments):
        self.process.stdin.write(json.dumps({"op": op, **arguments}) + "\n")
        self.process.stdin.flush()
        line = self.process.stdout.readline()
        if not line:
            raise RuntimeError(f"the driver ended during {op}")
        answer = json.loads(line)
        if "error" in answer:
            raise DriverError(answer["error"], answer["code"])
        return answer["ok"]

    def close(self) -> None:
        self.process.stdin.close()
        self.process.wait()
