"""Writes Icechunk metadata files from plain values, so that tests can make damaged ones.

The tables' slots come from the conformance decoder (ICEFIELD_SHARED/conformance/icechunk_raw.py),
which knows neither this library nor the official one.
"""

from __future__ import annotations

import os
import pathlib
import struct
import sys

from numcodecs.zstd import Zstd

sys.path.insert(0, str(pathlib.Path(os.environ.get("ICEFIELD_SHARED", "")) / "conformance"))
import icechunk_raw as raw  # noqa: E402

SNAPSHOT, MANIFEST, LOG, REPO = 1, 2, 4, 6
STRUCT_CODES = {
    "id8": lambda v: v,
    "id12": lambda v: v,
    "range": lambda v: struct.pack("<II", *v),
    "shape1": lambda v: struct.pack("<QQ", *v),
    "mfi1": lambda v: struct.pack("<12s4xQI4x", v["id"], v["size_bytes"], v["num_chunk_refs"]),
}


class Builder:
    """A flatbuffer, front to back: every table is followed by what it refers to."""

    def __init__(self):
        self.data = bytearray()

    def align(self, to: int, ahead: int = 0) -> None:
        while (len(self.data) + ahead) % to:
            self.data.append(0)

    def root(self, name: str, value: dict, identifier: bytes) -> bytes:
        self.data += struct.pack("<I", 0) + identifier
        struct.pack_into("<I", self.data, 0, self.table(name, value))
        return bytes(self.data)

    def table(self, name: str, value: dict) -> int:
        slots, inline, later = [], [], []  # inline: (slot, size, alignment, bytes)
        for field, spec in raw.TABLES[name]:
            spec = spec.rstrip("!")
            got = value[field]
            if spec.startswith("union:"):
                if got is not None:
                    kinds = spec[6:].split(",")
                    inline.append((len(slots), 1, 1, bytes([kinds.index(got["kind"]) + 1])))
                    inline.append((len(slots) + 1, 4, 4, None))
                    later.append((len(slots) + 1, got["kind"], got))
                slots += [0, 0]
                continue
            base = spec.split("=")[0]
            if got is not None and base in raw.SCALARS:
                code, size = raw.SCALARS[base]
                inline.append((len(slots), size, size, struct.pack(code, got)))
            elif got is not None and spec in raw.STRUCTS:
                size, alignment, _ = raw.STRUCTS[spec]
                inline.append((len(slots), size, alignment, STRUCT_CODES[spec](got)))
            elif got is not None:
                inline.append((len(slots), 4, 4, None))
                later.append((len(slots), spec, got))
            slots.append(0)
        at = 4  # places in the table, the widest first
        for slot, size, alignment, _ in sorted(inline, key=lambda i: -i[2]):
            at = -(-at // alignment) * alignment
            slots[slot] = at
            at += size
        self.align(2)
        vtable = len(self.data)
        self.data += struct.pack("<HH", 4 + 2 * len(slots), at)
        self.data += struct.pack(f"<{len(slots)}H", *slots)
        self.align(8)
        table = len(self.data)
        self.data += struct.pack("<i", table - vtable) + bytes(at - 4)
        for slot, size, _, content in inline:
            if content is not None:
                self.data[table + slots[slot] : table + slots[slot] + size] = content
        for slot, spec, got in later:
            self.refer(table + slots[slot], self.child(spec, got))
        return table

    def refer(self, place: int, target: int) -> None:
        struct.pack_into("<I", self.data, place, target - place)

    def child(self, spec: str, value) -> int:
        if spec == "str":
            return self.text(value)
        if spec == "bytes":
            return self.vector(value, len(value), 1)
        if not spec.startswith("["):
            return self.table(spec, value)
        element = spec[1:-1]
        if element in raw.SCALARS:
            code, size = raw.SCALARS[element]
            return self.vector(b"".join(struct.pack(code, v) for v in value), len(value), size)
        if element in raw.STRUCTS:
            alignment = raw.STRUCTS[element][1]
            return self.vector(b"".join(map(STRUCT_CODES[element], value)), len(value), alignment)
        vector = self.vector(bytes(4 * len(value)), len(value), 4)
        for i, one in enumerate(value):
            self.refer(vector + 4 + 4 * i, self.child(element, one))
        return vector

    def text(self, value: str) -> int:
        data = value.encode("utf-8", "surrogateescape")  # lone surrogates: bytes that are no UTF-8
        at = self.vector(data, len(data), 1)
        self.data.append(0)
        return at

    def vector(self, content: bytes, count: int, alignment: int) -> int:
        self.align(4)
        self.align(max(alignment, 4), ahead=4)
        at = len(self.data)
        self.data += struct.pack("<I", count) + content
        return at


def frame(payload: bytes) -> bytes:
    return bytes(Zstd(level=1).encode(payload))


def stored_frame(payload: bytes, declare: bool = True) -> bytes:
    """A zstd frame of raw blocks; without declared size unless told to declare it."""
    if declare:
        made = b"\x28\xb5\x2f\xfd" + bytes([0xE0]) + struct.pack("<Q", len(payload))
    else:
        made = b"\x28\xb5\x2f\xfd" + bytes([0x00, 0x58])  # a window of 2 MiB
    blocks = [payload[i : i + 100_000] for i in range(0, len(payload), 100_000)] or [b""]
    for i, block in enumerate(blocks):
        made += struct.pack("<I", len(block) << 3 | (i + 1 == len(blocks)))[:3] + block
    return made


class File:
    """A metadata file: `table` may be changed, and is what save() writes."""

    def __init__(self, path: pathlib.Path, kind: int):
        self.path, self.kind = path, kind
        data = path.read_bytes()
        self.header = bytearray(data[: raw.HEADER_LEN])
        _, self.table = raw.decode(data, kind)
        self.identifier = b"Ichk"

    def payload(self) -> bytes:
        return Builder().root(raw.ROOT_TABLE[self.kind], self.table, self.identifier)

    def save(self, body: bytes | None = None) -> None:
        self.write(bytes(self.header) + (frame(self.payload()) if body is None else body))

    def write(self, data: bytes) -> None:
        """In place of the file, which other files may be hard links of."""
        replacement = self.path.with_name(self.path.name + "#1")
        replacement.write_bytes(data)
        replacement.replace(self.path)


def flex(value) -> bytes:
    """One FlexBuffers value, every number and way in eight bytes."""
    data = bytearray()

    def put(one) -> tuple[int, bytes | None, int | None]:
        """Type byte, and the eight bytes of a scalar or the place of anything else."""
        if one is None:
            return 3, bytes(8), None
        if isinstance(one, bool):
            return 26 << 2 | 3, struct.pack("<Q", one), None
        if isinstance(one, int):
            return (1 if one < 0 else 2) << 2 | 3, struct.pack("<q" if one < 0 else "<Q", one), None
        if isinstance(one, float):
            return 3 << 2 | 3, struct.pack("<d", one), None
        if isinstance(one, str):
            text = one.encode()
            data.extend(struct.pack("<Q", len(text)))
            at = len(data)
            data.extend(text + b"\0")
            return 5 << 2 | 3, None, at
        keys = None
        if isinstance(one, dict):
            places = []
            for name in sorted(one):
                places.append(len(data))
                data.extend(name.encode() + b"\0")
            data.extend(struct.pack("<Q", len(places)))
            keys = len(data)
            for place in places:
                data.extend(struct.pack("<Q", len(data) - place))
        items = [put(one[name]) for name in sorted(one)] if isinstance(one, dict) else [
            put(item) for item in one
        ]
        if keys is not None:
            data.extend(struct.pack("<Q", len(data) - keys) + struct.pack("<Q", 8))
        data.extend(struct.pack("<Q", len(items)))
        at = len(data)
        for _, scalar, place in items:
            data.extend(scalar if scalar is not None else struct.pack("<Q", len(data) - place))
        data.extend(kind for kind, _, _ in items)
        return (9 if isinstance(one, dict) else 10) << 2 | 3, None, at

    kind, scalar, place = put(value)
    root = scalar if scalar is not None else struct.pack("<Q", len(data) - place)
    return bytes(data) + root + bytes([kind, 8])
