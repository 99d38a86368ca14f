"""Compares a template folder (`icefield <dataset-id> update-template`) with the facts of its dataset.

    ICEFIELD_SHARED=<folder> python check_template.py TEMPLATE_FOLDER

ICEFIELD_SHARED holds spec/datasets/<dataset-id>.json (facts) and spec/vectors/zarr_json (documents that
must be reproduced). Exit status 1 and one line per difference when there is one.
"""
import json
import os
import pathlib
import sys

BESIDE_FACTS = ("coordinates", "_FillValue")
NAN = "AAAAAAAA+H8="


def load(path: pathlib.Path):
    return json.loads(path.read_text(encoding="utf-8"))


def differ(place: str, found, wanted) -> list[str]:
    return [] if found == wanted else [f"{place}: {found!r}, expected {wanted!r}"]


def check_variable(facts: dict, wanted: dict, document: dict) -> list[str]:
    path = wanted["path"]
    encoding = {**facts["encodings"][wanted["encoding"]], **wanted["encoding_overrides"]}
    codecs = [*encoding["filters"], encoding["serializer"]]
    attributes = {k: v for k, v in document["attributes"].items() if k not in BESIDE_FACTS}
    derived = sorted(coord["name"] for coord in facts["coords"]
                     if coord["name"] not in facts["dimension_coordinates"])
    found = differ(f"{path} dimensions", document["dimension_names"], facts["dims"][wanted["group"]])
    found += differ(f"{path} data_type", document["data_type"], encoding["dtype"])
    found += differ(f"{path} chunks", document["chunk_grid"]["configuration"]["chunk_shape"],
                    encoding["chunks"])
    found += differ(f"{path} fill_value", document["fill_value"], encoding["fill_value"])
    found += differ(f"{path} codecs", document["codecs"], codecs)
    found += differ(f"{path} attributes", attributes, wanted["attrs"])
    found += differ(f"{path} coordinates", document["attributes"]["coordinates"], " ".join(derived))
    if encoding["fill_value"] == "NaN":
        found += differ(f"{path} _FillValue", document["attributes"]["_FillValue"], NAN)
    return found


def check_coordinate(wanted: dict, document: dict) -> list[str]:
    name, encoding = wanted["name"], wanted["encoding"]
    chunks = encoding["chunks"] if isinstance(encoding["chunks"], list) else [encoding["chunks"]]
    attributes = {k: v for k, v in document["attributes"].items()
                  if k not in ("_FillValue", "dtype", "calendar")}
    expected = dict(wanted["attrs"])
    if expected.get("units", "").startswith("seconds since"):
        expected["units"] = "seconds since 1970-01-01"
    found = differ(f"{name} data_type", document["data_type"], encoding["dtype"])
    found += differ(f"{name} chunks", document["chunk_grid"]["configuration"]["chunk_shape"], chunks)
    found += differ(f"{name} fill_value", document["fill_value"], encoding["fill_value"])
    found += differ(f"{name} attributes", attributes, expected)
    if "compressors" in encoding:
        found += differ(f"{name} codecs", document["codecs"][1:], encoding["compressors"])
    return found


def check_facts(folder: pathlib.Path, facts: dict) -> list[str]:
    documents = {path.parent.relative_to(folder).as_posix(): load(path)
                 for path in folder.rglob("zarr.json")}
    found = []
    groups = {"." if group == "/" else group for group in facts["dims"]}
    for group in groups:
        found += differ(f"{group} attributes", documents[group]["attributes"], facts["attributes"])
    expected = set(groups) | {variable["path"] for variable in facts["data_vars"]}
    for variable in facts["data_vars"]:
        found += check_variable(facts, variable, documents[variable["path"]])
    for coordinate in facts["coords"]:
        for group in groups:
            if coordinate["name"] in groups - {group}:
                continue  # a level coordinate exists in its own group only
            path = coordinate["name"] if group == "." else f"{group}/{coordinate['name']}"
            expected.add(path)
            found += check_coordinate(coordinate, documents[path])
    return found + differ("nodes", sorted(documents), sorted(expected))


def check_vectors(folder: pathlib.Path, vectors: pathlib.Path) -> list[str]:
    found = []
    for path in sorted(vectors.rglob("zarr.json")):
        name = path.relative_to(vectors)
        ours = (folder / name).read_text(encoding="utf-8")
        found += differ(str(name), ours, path.read_text(encoding="utf-8").rstrip("\n"))
    return found


def main() -> int:
    folder = pathlib.Path(sys.argv[1])
    shared = pathlib.Path(os.environ["ICEFIELD_SHARED"])
    dataset_id = load(folder / "zarr.json")["attributes"]["dataset_id"]
    found = check_facts(folder, load(shared / "spec/datasets" / f"{dataset_id}.json"))
    found += check_vectors(folder, shared / "spec/vectors/zarr_json" / dataset_id)
    print("\n".join(found) or f"{dataset_id}: template equals its facts")
    return bool(found)


if __name__ == "__main__":
    sys.exit(main())
