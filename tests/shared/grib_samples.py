"""Every file of the sample set scans and decodes as ecCodes reads it, and so do messages of every
kind that ecCodes can make.

Needs ICEFIELD_SHARED (the folder with conformance/grib_check.py and data/grib) and ICEFIELD.
"""

import os
import pathlib
import subprocess
import sys

shared = pathlib.Path(os.environ["ICEFIELD_SHARED"])
tool = os.environ["ICEFIELD"]
for dtype in ("float64", "float32"):
    ran = subprocess.run(
        [sys.executable, shared / "conformance/grib_check.py", "--tool", tool,
         "--manifest", shared / "data/grib/manifest.json", "--tier", "extended",
         "--dtype", dtype], check=False)
    if ran.returncode != 0:
        sys.exit(ran.returncode)
variants = pathlib.Path(__file__).parents[1] / "grib" / "variants_against_eccodes.py"
sys.exit(subprocess.run([sys.executable, variants, tool], check=False).returncode)
