"""One GRIB message as ecCodes decodes it."""

import datetime
from dataclasses import dataclass

import eccodes
import numpy as np


@dataclass
class Message:
    values: np.ndarray  # float64, row 0 northernmost, NaN where the message has no value
    init_time: np.datetime64
    valid_time: np.datetime64  # end of the window for statistics
    pressure_hpa: float | None  # of the first fixed surface, when it is isobaric
    hybrid_level: int | None


def _time(handle, date_key: str, time_key: str) -> np.datetime64:
    date, hhmm = eccodes.codes_get(handle, date_key), eccodes.codes_get(handle, time_key)
    text = f"{date:08d}{hhmm:04d}"
    return np.datetime64(datetime.datetime.strptime(text, "%Y%m%d%H%M"), "s")


def decode(data: bytes) -> Message:
    """Raises when `data` is not exactly one message that ecCodes can decode."""
    handle = eccodes.codes_new_from_message(data)
    try:
        if eccodes.codes_get(handle, "totalLength") != len(data):
            raise ValueError("the reference is not exactly one message")
        marker = 1e30
        eccodes.codes_set(handle, "missingValue", marker)
        values = eccodes.codes_get_values(handle).astype(np.float64)
        values[values == marker] = np.nan
        rows, columns = eccodes.codes_get(handle, "Ny"), eccodes.codes_get(handle, "Nx")
        values = values.reshape(rows, columns)
        if eccodes.codes_get(handle, "jScansPositively"):
            values = values[::-1]
        if eccodes.codes_get(handle, "iScansNegatively"):
            values = values[:, ::-1]

        surface = eccodes.codes_get(handle, "typeOfFirstFixedSurface", int)
        level = None
        if surface in (100, 105):
            factor = eccodes.codes_get(handle, "scaleFactorOfFirstFixedSurface")
            level = eccodes.codes_get(handle, "scaledValueOfFirstFixedSurface") * 10.0**-factor
        return Message(
            values,
            _time(handle, "dataDate", "dataTime"),
            _time(handle, "validityDate", "validityTime"),
            level / 100 if surface == 100 else None,
            int(level) if surface == 105 else None,
        )
    finally:
        eccodes.codes_release(handle)
