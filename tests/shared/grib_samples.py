"""Every HRRR file of the sample set scans and decodes as ecCodes and gribberish read it.

Needs ICEFIELD_SHARED (the folder with conformance/grib_check.py and data/grib) and ICEFIELD.
"""

import os
import pathlib
import subprocess
import sys

shared = pathlib.Path(os.environ["ICEFIELD_SHARED"])
for dtype in ("float64", "float32"):
    ran = subprocess.run(
        [sys.executable, shared / "conformance/grib_check.py", "--tool", os.environ["ICEFIELD"],
         "--manifest", shared / "data/grib/manifest.json", "--only", "hrrr", "--tier", "extended",
         "--dtype", dtype], check=False)
    if ran.returncode != 0:
        sys.exit(ran.returncode)
