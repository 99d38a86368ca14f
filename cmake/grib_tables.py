"""Writes the parameter names of the WMO and the centres as C++ tables.

usage: grib_tables.py GDAL_DATA ECCODES_DEFINITIONS OUT.cc

Takes the code tables 4.2 (with the centres' local parameters) and 4.5 from the files that
Debian's gdal-data installs, and from libeccodes-data the parameter tables of edition 1 and the
short names that ECMWF's indexes use.
"""
import csv
import pathlib
import re
import sys

# Columns of grib2_table_4_2_local_<name>.csv: the centre that the names belong to.
LOCAL = {"NCEP": 7, "NDFD": 8, "Canada": 54, "MRMS": 161}


def text(value):
    plain = value.encode("ascii", "replace").decode()
    return '"' + plain.replace("\\", "\\\\").replace('"', '\\"') + '"'


def useful(name):
    return name and not name.startswith(("Reserved", "Missing", "##"))


def rows_of(path):
    with open(path, encoding="utf-8", newline="") as lines:
        yield from csv.DictReader(lines)


def parameters(folder):
    """(centre, discipline, category, number) -> (short name, name, unit); centre 0: the WMO."""
    found = {}
    for path in sorted(folder.glob("grib2_table_4_2_*.csv")):
        words = path.stem.removeprefix("grib2_table_4_2_").split("_")
        if words[0] == "local" and words[1] not in LOCAL:
            continue
        for row in rows_of(path):
            number = int(row["subcat"])
            if number < 0 or not useful(row["name"]):
                continue
            if words[0] == "local":
                key = (LOCAL[words[1]], int(row["prod"]), int(row["cat"]), number)
            else:
                key = (0, int(words[0]), int(words[1]), number)
            found.setdefault(key, (row["short_name"], row["name"], row["unit"]))
    return found


def surfaces(folder):
    """Code table 4.5: number -> name. Ranges of reserved numbers are left out."""
    found = {}
    for row in rows_of(folder / "grib2_table_4_5.csv"):
        if row["code"].isdigit() and useful(row["name"]):
            found[int(row["code"])] = row["name"]
    return found


UNIT = re.compile(r"(%|-|~|(Pa|hPa|K|m|s|kg|g|J|W|N|V|mol|gpm|Dobson|deg|degree|degrees|rad|Numeric)"
                  r"(\*\*-?\d+)?)$")


def split_unit(words):
    """"Pressure tendency Pa s**-1" -> ("Pressure tendency", "Pa s**-1")."""
    parts = words.split()
    at = len(parts)
    while at > 1 and UNIT.match(parts[at - 1]):
        at -= 1
    return " ".join(parts[:at]), " ".join(parts[at:])


def old_parameters(folder):
    """(centre, table version, number) -> (short name, name, unit); centre 0: the WMO."""
    found = {}
    line_form = re.compile(r"(\d+)\s+(\S+)\s+(.*?)\s*(?:\(([^()]*(?:\([^()]*\)[^()]*)*)\))?\s*$")
    for path in sorted(folder.glob("2.*.*.table")):
        _, centre, version, _ = path.name.split(".", 3)
        if not (centre.isdigit() and version.isdigit()):
            continue
        for line in path.read_text(encoding="utf-8", errors="replace").splitlines():
            match = line_form.match(line.split("#")[0].rstrip())
            if not match:
                continue
            number, short, name, unit = match.groups()
            if int(number) > 255 or short in ("~", "-") or not useful(name):
                continue
            first, _, rest = name.partition(" ")
            if rest and first in ("None", short.upper()):
                name, unit = split_unit(rest if not unit else f"{rest} ({unit})")
            key = (int(centre), int(version), int(number))
            found.setdefault(key, ("" if short == number else short, name, unit or ""))
    return found


# Conditions of a short name that a field can be asked for, in the order of tables::Asked; names that
# ask for anything else are left out.
CONDITIONS = (
    "typeOfFirstFixedSurface", "scaleFactorOfFirstFixedSurface", "scaledValueOfFirstFixedSurface",
    "typeOfSecondFixedSurface", "scaleFactorOfSecondFixedSurface",
    "scaledValueOfSecondFixedSurface", "typeOfStatisticalProcessing",
    "indicatorOfUnitForTimeRange", "lengthOfTimeRange",
    "constituentType", "sourceSinkChemicalPhysicalProcess",
    "typeOfSizeInterval", "scaleFactorOfFirstSize", "scaledValueOfFirstSize",
    "scaleFactorOfSecondSize", "scaledValueOfSecondSize",
    "typeOfWavelengthInterval", "scaleFactorOfFirstWavelength", "scaledValueOfFirstWavelength",
    "scaleFactorOfSecondWavelength", "scaledValueOfSecondWavelength",
    "typeOfWavePeriodInterval", "scaleFactorOfLowerWavePeriodLimit",
    "scaledValueOfLowerWavePeriodLimit", "scaleFactorOfUpperWavePeriodLimit",
    "scaledValueOfUpperWavePeriodLimit",
    "productDefinitionTemplateNumber", "typeOfGeneratingProcess",
    "probabilityType", "scaleFactorOfLowerLimit", "scaledValueOfLowerLimit",
    "is_chemical", "is_chemical_srcsink", "is_aerosol", "is_aerosol_optical",
)
PARAMETER = ("discipline", "parameterCategory", "parameterNumber")
SAME = {"aerosolType": "constituentType"}  # two names of the same octets
MISSING = -2


def waves(name, kind, lower, upper):
    return (name, {"discipline": 10, "parameterCategory": 0, "parameterNumber": 3,
                   "typeOfWavePeriodInterval": kind,
                   "scaleFactorOfLowerWavePeriodLimit": 0, "scaledValueOfLowerWavePeriodLimit": lower,
                   **({"scaleFactorOfUpperWavePeriodLimit": 0, "scaledValueOfUpperWavePeriodLimit": upper}
                      if upper else {})})


# Short names that ECMWF's indexes use and Debian's definitions do not have yet.
NEWER = [
    ("aod", {"discipline": 0, "parameterCategory": 20, "parameterNumber": 102}),
    ("wmb", {"discipline": 10, "parameterCategory": 4, "parameterNumber": 7}),
    waves("h1012", 7, 10, 12), waves("h1214", 7, 12, 14), waves("h1417", 7, 14, 17),
    waves("h1721", 7, 17, 21), waves("h2125", 7, 21, 25), waves("h2530", 7, 25, 30),
    waves("sh10", 3, 10, None),
]


def concepts(folder):
    """ECMWF's short names: [((discipline, category, number), [(condition, value)], name)]. Its own
    definitions come before the general ones, as the first of equally good ones counts."""
    form = re.compile(r"'([^']+)'\s*=\s*\{([^}]*)\}")
    condition = re.compile(r"(\w+)\s*=\s*([^;]+?)\s*;")
    asked = []
    for path in (folder / "localConcepts/ecmf/shortName.def", folder / "shortName.def"):
        for name, body in form.findall(path.read_text(encoding="utf-8")):
            asked.append((name, dict(condition.findall(re.sub(r"#.*", "", body)))))
    found = []
    for name, conditions in asked + NEWER:
        conditions = {SAME.get(key, key): value for key, value in conditions.items()}
        conditions.pop("localTablesVersion", None)
        if name == "~" or not set(conditions) <= set(CONDITIONS + PARAMETER):
            continue
        try:
            numbers = {key: MISSING if value == "missing()" else int(value)
                       for key, value in conditions.items()}
        except ValueError:
            continue
        found.append((tuple(numbers.pop(key) for key in PARAMETER),
                      [(CONDITIONS.index(key), value) for key, value in numbers.items()], name))
    return sorted(found, key=lambda row: row[0])  # stable: keeps the order within a parameter


def write_concepts(out, rows):
    conditions, lines = [], []
    for numbers, asked, name in rows:
        lines.append((*numbers, len(conditions), len(asked), text(name)))
        conditions += asked
    out.append("const Condition kConditions_rows[] = {")
    out += [f"    {{static_cast<Asked>({key}), {value}}}," for key, value in conditions]
    out += ["};", "const std::span<const Condition> kConditions(kConditions_rows);",
            "const ConceptRow kConcepts_rows[] = {"]
    out += ["    {" + ", ".join(map(str, line)) + "}," for line in lines]
    out += ["};", "const std::span<const ConceptRow> kConcepts(kConcepts_rows);"]


def write_rows(out, kind, name, rows):
    out.append(f"const {kind} {name}_rows[] = {{")
    for key, texts in rows:
        out.append("    {" + ", ".join(map(str, key)) + ", " + ", ".join(map(text, texts)) + "},")
    out.append("};")
    out.append(f"const std::span<const {kind}> {name}({name}_rows);")


def main(gdal, eccodes, target):
    gdal, eccodes = pathlib.Path(gdal), pathlib.Path(eccodes)
    out = ["// Made by cmake/grib_tables.py.", '#include "grib/internal/parameter_tables.h"', "",
           "namespace icefield::grib::tables {", ""]
    write_rows(out, "ParameterRow", "kParameters", sorted(parameters(gdal).items()))
    write_rows(out, "OldParameterRow", "kOldParameters", sorted(old_parameters(eccodes / "grib1").items()))
    write_rows(out, "SurfaceRow", "kSurfaces", [((n,), (name,)) for n, name in sorted(surfaces(gdal).items())])
    write_concepts(out, concepts(eccodes / "grib2"))
    out += ["", "}  // namespace icefield::grib::tables", ""]
    pathlib.Path(target).write_text("\n".join(out), encoding="ascii")


if __name__ == "__main__":
    main(*sys.argv[1:])
