"""Compares a published store's structure with a table of the dataset's facts (a JSON file)."""

import math

import numpy as np

WRITTEN_BESIDE_FACTS = {"coordinates", "_FillValue"}


def _same_fill(stored, wanted) -> bool:
    return stored == wanted or float(stored) == float(wanted) or (
        math.isnan(float(stored)) and math.isnan(float(wanted)))


def _check_variable(report, facts: dict, wanted: dict, document: dict) -> None:
    path = wanted["path"]
    dims = facts["dims"]["/" if wanted["group"] == "/" else wanted["group"]]
    report.check(document["dimension_names"] == dims, f"{path}: {document['dimension_names']}")
    encoding = {**facts["encodings"][wanted["encoding"]], **wanted["encoding_overrides"]}
    report.check(document["data_type"] == encoding["dtype"], f"{path}: {document['data_type']}")
    chunks = document["chunk_grid"]["configuration"]["chunk_shape"]
    report.check(chunks == encoding["chunks"], f"{path}: chunks {chunks}")
    report.check(_same_fill(document["fill_value"], encoding["fill_value"]),
                 f"{path}: fill value {document['fill_value']}, not {encoding['fill_value']}")
    names = [codec["name"] for codec in document["codecs"]]
    expected = [one["name"] for one in [*encoding["filters"], encoding["serializer"]]]
    report.check(names == expected, f"{path}: codecs {names}, not {expected}")
    configured = document["codecs"][-1]["configuration"]
    report.check(configured == encoding["serializer"]["configuration"], f"{path}: {configured}")
    attributes = {name: value for name, value in document["attributes"].items()
                  if name not in WRITTEN_BESIDE_FACTS}
    report.check(attributes == wanted["attrs"],
                 f"{path}: attributes {attributes}, not {wanted['attrs']}")


def _check_axes(report, facts: dict, tree) -> None:
    for name, wanted in facts["dimension_coordinates"].items():
        node = tree["/" + name] if "/" + name in tree.groups else tree["/"]
        values = node[name].values
        if "values" in wanted:
            report.check(list(values) == wanted["values"], f"{name}: {values}")
        elif "first_h" in wanted:
            hours = values / np.timedelta64(1, "h")
            report.check((hours[0], hours[-1], len(hours)) == (
                wanted["first_h"], wanted["last_h"], wanted["length"]), f"{name}: {hours}")
        elif "first" in wanted:
            report.check(len(values) == wanted["length"] and values[0] == wanted["first"]
                         and values[-1] == wanted["last"], f"{name}: {values[0]} to {values[-1]}")
        else:
            start = np.datetime64(wanted["start"])
            step = np.timedelta64(int(facts["append_dim_frequency"].removesuffix("h")), "h")
            grid = start + step * np.arange(len(values))
            report.check(np.array_equal(values, grid), f"{name}: {values[:3]} ...")


def check_facts(report, facts: dict, documents: dict, tree) -> dict[str, set]:
    """Checks, and gives the element names that an index may use for each variable's path."""
    wanted = {variable["path"]: variable for variable in facts["data_vars"]}
    virtual = {path for path, one in documents.items() if one["node_type"] == "array"
               and any(codec["name"] == "gribberish" for codec in one["codecs"])}
    report.check(virtual == set(wanted), f"variables differ: {virtual ^ set(wanted)}")
    for path in sorted(virtual & set(wanted)):
        _check_variable(report, facts, wanted[path], documents[path])
    root = documents[""]["attributes"]
    for name, value in facts["attributes"].items():
        report.check(root.get(name) == value, f"root attribute {name}: {root.get(name)}")
    coordinates = {one["name"] for one in facts["coords"]}
    present = {path.rpartition("/")[2] for path, one in documents.items()
               if one["node_type"] == "array"} - {path.rpartition("/")[2] for path in wanted}
    report.check(coordinates <= present, f"coordinates missing: {coordinates - present}")
    _check_axes(report, facts, tree)
    return {path: {one["source"]["grib_element"],
                   *one["source"].get("grib_element_alternatives", [])}
            for path, one in wanted.items()}
