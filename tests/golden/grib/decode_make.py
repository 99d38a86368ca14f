"""Writes the decode vectors: small GRIB messages and the values that ecCodes decodes from them.

    python tests/golden/grib/decode_make.py      (needs eccodes 2.50 and numpy)

Each case becomes decode_<folder>/<case>.grib and <case>.f64: the values in stored order as
little-endian float64, NaN where a point is missing. Fields are synthetic and repeatable.
"""
import os
import struct

import eccodes as ec
import numpy as np

HERE = os.path.dirname(os.path.abspath(__file__))
MARK = 9.87654321e99
POINTS = {"small": (31, 16), "tall": (60, 45)}  # 2700 points are more than two tiles of 1024


def field(kind, n):
    at = np.arange(n)
    random = np.random.default_rng(7)
    if kind == "smooth":
        return 280 + 20 * np.sin(at / 50) + 5 * np.cos(at / 7)
    if kind == "noise":
        return random.normal(0, 100, n)
    if kind == "rain":
        return np.maximum(random.gamma(0.2, 2, n) - 1, 0)
    return np.full(n, 273.5)


def sections(message):
    at, found = 16, []
    while message[at:at + 4] != b"7777":
        length = int.from_bytes(message[at:at + 4], "big")
        found.append(message[at:at + length])
        at += length
    return found


def joined(start, parts):
    body = b"".join(parts)
    return start[:8] + (len(body) + 20).to_bytes(8, "big") + body + b"7777"


def encode(packing, kind="smooth", grid="small", missing=0.0, edition=2, **keys):
    handle = ec.codes_grib_new_from_samples(f"regular_ll_sfc_grib{edition}")
    ni, nj = POINTS[grid]
    ec.codes_set(handle, "Ni", ni)
    ec.codes_set(handle, "Nj", nj)
    values = field(kind, ni * nj)
    if missing:
        ec.codes_set(handle, "bitmapPresent", 1)
        ec.codes_set(handle, "missingValue", 9999.0)
        values[np.random.default_rng(3).random(ni * nj) < missing] = 9999.0
    early = {k: keys.pop(k) for k in ("bitsPerValue", "decimalPrecision") if k in keys}
    for key, value in early.items():
        ec.codes_set(handle, key, value)
    ec.codes_set_values(handle, values)
    if packing != "grid_simple":
        ec.codes_set(handle, "packingType", packing)
    for key, value in keys.items():
        ec.codes_set(handle, key, value)
    if edition == 2:
        ec.codes_set_values(handle, values)
    return ec.codes_get_message(handle)


def row_by_row_wide():
    """First-order values of 33 bits, which this order of keys makes."""
    handle = ec.codes_grib_new_from_samples("regular_ll_sfc_grib1")
    for key, value in (("Ni", 31), ("Nj", 17), ("bitsPerValue", 24),
                       ("packingType", "grid_second_order_row_by_row")):
        ec.codes_set(handle, key, value)
    ec.codes_set_values(handle, field("noise", 31 * 17))
    return ec.codes_get_message(handle)


class Bits:
    def __init__(self):
        self.text = []

    def put(self, number, width):
        if width:
            self.text.append(format(number, f"0{width}b"))
        return self

    def octets(self):
        text = "".join(self.text)
        text += "0" * (-len(text) % 8)
        return int(text or "0", 2).to_bytes(len(text) // 8, "big")


def signed(number, octets):
    return ((1 << (8 * octets - 1)) | -number if number < 0 else number).to_bytes(octets, "big")


def grouped(order, management, widest, reference_bits, n=2700, seed=5, lowest=-9):
    """5.2 or 5.3 with groups of every kind, which ecCodes itself does not write."""
    random = np.random.default_rng(seed)
    lengths = []
    while sum(lengths) < n:
        lengths.append(min(2 + 3 * int(random.integers(0, random.choice([4, 30]))), n - sum(lengths)))
    widths = [int(random.choice([0, 0, 1, 2, int(random.integers(0, widest + 1))])) for _ in lengths]
    references = [int(random.integers(0, 1 << reference_bits)) for _ in lengths]
    if management:
        ones = (1 << reference_bits) - 1
        references = [ones - int(random.integers(0, 2)) if random.random() < 0.3 else r for r in references]
    numbers = Bits()
    for length, width in zip(lengths, widths):
        for _ in range(length):
            number = int(random.integers(0, 1 << width))
            if management and width and random.random() < 0.1:
                number = (1 << width) - 1 - int(random.integers(0, 2) if width > 1 else 0)
            numbers.put(number, width)
    parts = [Bits(), Bits(), Bits()]
    for i, (reference, width, length) in enumerate(zip(references, widths, lengths)):
        parts[0].put(reference, reference_bits)
        parts[1].put(width, 6)
        parts[2].put((length - 2) // 3 if i + 1 < len(lengths) else 0, 5)
    extra = b"".join(int(v).to_bytes(3, "big") for v in (1000, 1010)[:order])
    extra += signed(lowest, 3) if order else b""
    section7 = extra + b"".join(p.octets() for p in parts) + numbers.octets()
    section5 = n.to_bytes(4, "big") + (3 if order else 2).to_bytes(2, "big")
    section5 += struct.pack(">f", -12.5) + signed(-3, 2) + signed(1, 2) + bytes([reference_bits, 0, 1, management])
    section5 += b"\xff" * 8 + len(lengths).to_bytes(4, "big") + bytes([0, 6]) + (2).to_bytes(4, "big") + bytes([3])
    section5 += lengths[-1].to_bytes(4, "big") + bytes([5]) + (bytes([order, 3]) if order else b"")
    return replaced(encode("grid_simple", "constant", "tall"), section5, section7)


def replaced(base, section5, section7):
    made = []
    for section in sections(base):
        if section[4] in (5, 7):
            body = section5 if section[4] == 5 else section7
            section = (len(body) + 5).to_bytes(4, "big") + section[4:5] + body
        made.append(section)
    return joined(base, made)


def run_length(bits, highest, decimal, n=2700):
    """5.200 with runs of all lengths, which ecCodes only decodes."""
    random = np.random.default_rng(bits)
    base, filled, numbers = (1 << bits) - 1 - highest, 0, Bits()
    while filled < n:
        length = min(int(random.choice([1, 2, 3, 40, 700])), n - filled)
        numbers.put(int(random.integers(0, highest + 1)), bits)
        filled += length
        length -= 1
        while length > 0:
            numbers.put(length % base + highest + 1, bits)
            length //= base
    levels = b"".join((7 * i * i + 3).to_bytes(2, "big") for i in range(1, highest + 1))
    section5 = n.to_bytes(4, "big") + (200).to_bytes(2, "big") + bytes([bits]) + highest.to_bytes(2, "big")
    section5 += highest.to_bytes(2, "big") + signed(decimal, 1) + levels
    return replaced(encode("grid_simple", "constant", "tall"), section5, numbers.octets())


def scaled(binary, decimal, packing="grid_simple"):
    message = encode(packing, bitsPerValue=12)
    made = []
    for section in sections(message):
        if section[4] == 5:
            section = section[:15] + signed(binary, 2) + signed(decimal, 2) + section[19:]
        made.append(section)
    return joined(message, made)


def cases():
    for bits in range(1, 33):
        yield "simple", f"bits_{bits:02d}", lambda b=bits: encode("grid_simple", "noise", bitsPerValue=b)
    yield "simple", "constant", lambda: encode("grid_simple", "constant")
    yield "simple", "bitmap", lambda: encode("grid_simple", missing=0.4, bitsPerValue=12)
    for binary, decimal in ((-20, -3), (7, 2), (-5, 7), (0, -12)):
        name = f"scales_{binary}_{decimal}".replace("-", "m")
        yield "simple", name, lambda b=binary, d=decimal: scaled(b, d)

    yield "complex", "order_0", lambda: encode("grid_complex", grid="tall", bitsPerValue=12)
    for order in (1, 2):
        yield "complex", f"order_{order}", lambda o=order: encode(
            "grid_complex_spatial_differencing", grid="tall", bitsPerValue=14, orderOfSpatialDifferencing=o)
    yield "complex", "constant", lambda: encode("grid_complex_spatial_differencing", "constant")
    yield "complex", "bitmap", lambda: encode(
        "grid_complex_spatial_differencing", grid="tall", missing=0.3, bitsPerValue=12)
    for order in (0, 1, 2):
        for management in (0, 1, 2):
            yield "complex", f"groups_{order}_{management}", lambda o=order, m=management: grouped(o, m, 9, 11)
    yield "complex", "wide_groups", lambda: grouped(0, 1, 31, 31)
    yield "complex", "wide_sums", lambda: grouped(2, 0, 24, 25, lowest=-8000000)

    for size in ("32", "64"):
        yield "ieee", f"bits_{size}", lambda s=size: encode("grid_ieee", precision={"32": 1, "64": 2}[s])
    yield "ieee", "bitmap", lambda: encode("grid_ieee", missing=0.2)
    yield "run_length", "bits_8", lambda: run_length(8, 5, 1)
    yield "run_length", "negative_scale", lambda: run_length(8, 60, -2)
    yield "log", "bits_16", lambda: encode("grid_simple_log_preprocessing", bitsPerValue=16)

    for bits in (1, 2, 3, 7, 8, 9, 12, 16, 17, 24, 25, 31, 32):
        yield "ccsds", f"bits_{bits:02d}", lambda b=bits: encode("grid_ccsds", bitsPerValue=b)
    for kind in ("noise", "rain"):
        yield "ccsds", kind, lambda k=kind: encode("grid_ccsds", k, "tall", bitsPerValue=16)
    for size, interval in ((8, 1), (16, 3), (64, 4096)):
        yield "ccsds", f"blocks_{size}_{interval}", lambda s=size, i=interval: encode(
            "grid_ccsds", "rain", "tall", bitsPerValue=12, ccsdsBlockSize=s, ccsdsRsi=i)
    yield "ccsds", "without_prediction", lambda: encode("grid_ccsds", bitsPerValue=11, ccsdsFlags=4)
    yield "ccsds", "restricted", lambda: encode("grid_ccsds", bitsPerValue=4, ccsdsFlags=14 | 16)
    yield "ccsds", "bitmap", lambda: encode("grid_ccsds", missing=0.3, bitsPerValue=12)
    yield "ccsds", "constant", lambda: encode("grid_ccsds", "constant")

    for bits in (1, 2, 4, 8, 12, 16, 24, 32):
        yield "png", f"bits_{bits:02d}", lambda b=bits: encode("grid_png", "rain", bitsPerValue=b)
    yield "png", "tall", lambda: encode("grid_png", "rain", "tall", bitsPerValue=16)
    yield "png", "bitmap", lambda: encode("grid_png", "rain", missing=0.3, bitsPerValue=8)
    for bits in (1, 8, 12, 16, 24):
        yield "jpeg2000", f"bits_{bits:02d}", lambda b=bits: encode("grid_jpeg", bitsPerValue=b)
    yield "jpeg2000", "bitmap", lambda: encode("grid_jpeg", missing=0.3, bitsPerValue=10)

    yield "grib1", "simple", lambda: encode("grid_simple", edition=1, bitsPerValue=16)
    yield "grib1", "simple_bitmap", lambda: encode("grid_simple", missing=0.3, edition=1, bitsPerValue=13)
    yield "grib1", "constant", lambda: encode("grid_simple", "constant", edition=1)
    yield "grib1", "ieee", lambda: encode("grid_ieee", edition=1)
    for name in ("no_SPD", "SPD1", "SPD2", "SPD3", "no_boustrophedonic", "boustrophedonic"):
        yield "grib1", name.lower(), lambda n=name: encode(f"grid_second_order_{n}", edition=1, bitsPerValue=16)
    yield "grib1", "second_order", lambda: encode("grid_second_order", edition=1, bitsPerValue=12)
    yield "grib1", "row_by_row_wide", row_by_row_wide
    yield "grib1", "second_order_bitmap", lambda: encode(
        "grid_second_order", missing=0.3, edition=1, bitsPerValue=12)


def main():
    for folder, name, make in cases():
        message = make()
        handle = ec.codes_new_from_message(message)
        if ec.codes_get(handle, "edition") == 2:
            ec.codes_set(handle, "missingValue", MARK)
            values = ec.codes_get_values(handle)
            values = np.where(values == MARK, np.nan, values)
        else:
            values = ec.codes_get_values(handle)
            if ec.codes_get(handle, "bitmapPresent"):
                values = np.where(values == ec.codes_get(handle, "missingValue"), np.nan, values)
        target = os.path.join(HERE, "decode_" + folder)
        os.makedirs(target, exist_ok=True)
        with open(os.path.join(target, name + ".grib"), "wb") as out:
            out.write(message)
        values.astype("<f8").tofile(os.path.join(target, name + ".f64"))


if __name__ == "__main__":
    main()
