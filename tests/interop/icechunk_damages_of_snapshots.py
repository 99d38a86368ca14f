"""Damages of snapshots, manifests and chunks."""

from __future__ import annotations

from icechunk_damage_kit import (
    Copy,
    array_of,
    chunked,
    damage,
    document,
    first_with,
    has,
    many,
    on_manifest,
    on_snapshot,
    refs_of,
    split,
    swap,
)
from icechunk_files import flex, raw, stored_frame

on_snapshot("nodes_unsorted", "chunks", lambda t: swap(t["nodes"]))
on_snapshot("node_twice", "chunks", lambda t: t["nodes"].append(dict(t["nodes"][-1])))
on_snapshot("node_id_twice", "chunks", lambda t: t["nodes"][0].update(id=t["nodes"][1]["id"]))
on_snapshot("path_relative", "chunks", lambda t: t["nodes"][-1].update(path="zz"))
on_snapshot("path_with_dots", "chunks", lambda t: t["nodes"][-1].update(path="/zz/../zz"))
on_snapshot("path_with_final_slash", "chunks", lambda t: t["nodes"][-1].update(path="/zz/"))
on_snapshot("document_no_json", "chunks", lambda t: t["nodes"][0].update(user_data=b"{"))
on_snapshot("document_of_another_kind", "chunks", lambda t: document(
    t["nodes"][0], lambda d: d.update(node_type="array")))
on_snapshot("document_changed", "chunks", lambda t: document(
    t["nodes"][0], lambda d: d.update(attributes={"not": "logged"})))
on_snapshot("shape_differs", "chunks", lambda t: document(
    chunked(t), lambda d: d.update(shape=[n + 1 for n in d["shape"]])))
on_snapshot("length_differs", "chunks", lambda t: chunked(t)["node_data"]["shape_v2"][0].update(
    array_length=10**6))
on_snapshot("num_chunks_differs", "chunks", lambda t: chunked(t)["node_data"]["shape_v2"][0].update(
    num_chunks=10**6))
on_snapshot("grid_unknown", "chunks", lambda t: document(
    chunked(t), lambda d: d["chunk_grid"].update(name="hexagonal")))
on_snapshot("key_encoding", "chunks", lambda t: document(
    chunked(t), lambda d: d.update(chunk_key_encoding={
        "name": "default", "configuration": {"separator": "."}})))
on_snapshot("names_differ", "chunks", lambda t: chunked(t)["node_data"].update(
    dimension_names=[{"name": f"d{i}"} for i in range(len(chunked(t)["node_data"]["shape_v2"]))]))
on_snapshot("names_of_another_rank", "chunks", lambda t: chunked(t)["node_data"].update(
    dimension_names=[{"name": "d"}] * 9))
on_snapshot("shape_v2_absent", "chunks", lambda t: chunked(t)["node_data"].update(shape_v2=None))
on_snapshot("shape_not_empty", "chunks", lambda t: chunked(t)["node_data"].update(
    shape=[[n["array_length"], 1] for n in chunked(t)["node_data"]["shape_v2"]]))
on_snapshot("parent_id_in_version_2", "chunks", lambda t: t.update(parent_id=bytes(12)))
on_snapshot("old_list_in_version_2", "chunks", lambda t: t.update(
    manifest_files=t["manifest_files_v2"]))
on_snapshot("list_of_files_absent", "chunks", lambda t: t.update(manifest_files_v2=None))
on_snapshot("files_unsorted", "splits", lambda t: swap(t["manifest_files_v2"]))
on_snapshot("file_twice", "splits", lambda t: t["manifest_files_v2"].append(
    dict(t["manifest_files_v2"][-1])))
on_snapshot("file_not_listed", "splits", lambda t: t["manifest_files_v2"].pop(3))
on_snapshot("file_of_no_node", "splits", lambda t: t["manifest_files_v2"].insert(
    0, {"id": bytes(12), "size_bytes": 1, "num_chunk_refs": 1, "extra": None}))
on_snapshot("file_without_id", "splits", lambda t: t["manifest_files_v2"][0].update(id=None))
on_snapshot("size_listed_wrongly", "splits", lambda t: t["manifest_files_v2"][0].update(
    size_bytes=t["manifest_files_v2"][0]["size_bytes"] + 1))
on_snapshot("size_listed_as_unknown", "splits", lambda t: t["manifest_files_v2"][0].update(
    size_bytes=0))
on_snapshot("count_listed_wrongly", "splits", lambda t: t["manifest_files_v2"][0].update(
    num_chunk_refs=t["manifest_files_v2"][0]["num_chunk_refs"] + 1))
on_snapshot("box_of_another_rank", "chunks", lambda t: chunked(t)["node_data"]["manifests"][0]
            .update(extents=[[0, 1]] * 7))
on_snapshot("box_without_ranges", "chunks", lambda t: chunked(t)["node_data"]["manifests"][0]
            .update(extents=[]))
on_snapshot("box_empty", "chunks", lambda t: chunked(t)["node_data"]["manifests"][0]["extents"]
            .__setitem__(0, [5, 5]))
on_snapshot("box_reversed", "chunks", lambda t: chunked(t)["node_data"]["manifests"][0]["extents"]
            .__setitem__(0, [9, 2]))
on_snapshot("boxes_overlap", "splits", lambda t: split(t)["node_data"]["manifests"][0].update(
    extents=split(t)["node_data"]["manifests"][1]["extents"]))
on_snapshot("box_too_small", "chunks", lambda t: array_of(t, lambda n: any(
    e[1] - e[0] > 1 for m in n["node_data"]["manifests"] for e in m["extents"]))
    ["node_data"]["manifests"][0].update(extents=[[e[0], e[0] + 1] for e in array_of(
        t, lambda n: any(e[1] - e[0] > 1 for m in n["node_data"]["manifests"] for e in m["extents"]))
        ["node_data"]["manifests"][0]["extents"]]))
on_snapshot("box_elsewhere", "chunks", lambda t: chunked(t)["node_data"]["manifests"][0].update(
    extents=[[e[1] + 5, e[1] + 6] for e in chunked(t)["node_data"]["manifests"][0]["extents"]]))
on_snapshot("flushed_at_differs", "chunks", lambda t: t.update(flushed_at=t["flushed_at"] + 1))
on_snapshot("snapshot_metadata_unsorted", "chunks", lambda t: t.update(metadata=[
    {"name": "b", "value": flex(1)}, {"name": "a", "value": flex(1)}]))
on_snapshot("path_no_utf8", "chunks", lambda t: t["nodes"][-1].update(path="/z\udcff"))


@damage("groups")
def node_without_parent(copy: Copy) -> None:
    file = copy.snapshot()
    deep = max((n["path"] for n in file.table["nodes"]), key=lambda p: p.count("/"))
    parent = deep.rsplit("/", 1)[0]
    file.table["nodes"] = [n for n in file.table["nodes"] if n["path"] != parent]
    file.save()


@damage("splits")
def node_below_an_array(copy: Copy) -> None:
    file = copy.snapshot()
    path = array_of(file.table)["path"]
    group = next(n for n in file.table["nodes"] if n["node_data"]["kind"] == "GroupNodeData")
    file.table["nodes"].append({**group, "path": path + "/below", "id": bytes(8)})
    file.table["nodes"].sort(key=lambda n: n["path"].encode())
    file.save()

# ---------------------------------------------------------------- manifests

on_manifest("refs_unsorted", "chunks", many, lambda t: swap(refs_of(t)))
on_manifest("ref_twice", "chunks", many, lambda t: refs_of(t).append(dict(refs_of(t)[-1])))
on_manifest("ref_gone", "chunks", many, lambda t: refs_of(t).pop())
on_manifest("array_twice", "chunks", many, lambda t: t["arrays"].append(t["arrays"][-1]))
on_manifest("manifest_of_another_node", "chunks", many, lambda t: t["arrays"][0].update(
    node_id=bytes(8)))
on_manifest("ref_of_another_rank", "chunks", many, lambda t: refs_of(t)[-1].update(
    index=refs_of(t)[-1]["index"] + [0]))
on_manifest("refs_of_another_rank", "chunks", many, lambda t: [
    r.update(index=r["index"] + [0]) for r in refs_of(t)])
on_manifest("ref_outside_the_box", "chunks", many, lambda t: refs_of(t)[-1].update(
    index=[n + 1000 for n in refs_of(t)[-1]["index"]]))
on_manifest("algorithm_unknown", "chunks", many, lambda t: t.update(compression_algorithm=7))
on_manifest("dictionary_without_algorithm", "location_dictionary",
            lambda t: t["location_dictionary"] is not None,
            lambda t: t.update(compression_algorithm=0))
on_manifest("dictionary_gone", "location_dictionary", has("compressed_location"),
            lambda t: t.update(location_dictionary=None))
on_manifest("dictionary_of_another", "location_dictionary", has("compressed_location"),
            lambda t: t.update(location_dictionary=bytes(len(t["location_dictionary"]))))
on_manifest("location_frame_damaged", "location_dictionary", has("compressed_location"),
            lambda t: first_with(t, "compressed_location").update(
                compressed_location=b"\x28\xb5\x2f\xfd\x20"))
on_manifest("location_too_long", "location_dictionary", has("compressed_location"),
            lambda t: first_with(t, "compressed_location").update(
                compressed_location=stored_frame(b"s3://b/" + b"x" * 2000)))
on_manifest("location_too_long_undeclared", "location_dictionary", has("compressed_location"),
            lambda t: first_with(t, "compressed_location").update(
                compressed_location=stored_frame(b"s3://b/" + b"x" * 2000, False)))
on_manifest("two_locations", "location_dictionary", has("compressed_location"),
            lambda t: first_with(t, "compressed_location").update(location="s3://b/x"))
on_manifest("native_and_inline", "chunks", has("chunk_id"),
            lambda t: first_with(t, "chunk_id").update(inline=b"1234"))
on_manifest("native_and_virtual", "chunks", has("chunk_id"),
            lambda t: first_with(t, "chunk_id").update(location="s3://b/x"))
on_manifest("inline_and_virtual", "chunks", has("inline"),
            lambda t: first_with(t, "inline").update(location="s3://b/x"))
on_manifest("ref_of_no_kind", "chunks", has("chunk_id"),
            lambda t: first_with(t, "chunk_id").update(chunk_id=None))
on_manifest("native_length_0", "chunks", has("chunk_id"),
            lambda t: first_with(t, "chunk_id").update(length=0))
on_manifest("native_past_the_end", "chunks", has("chunk_id"),
            lambda t: first_with(t, "chunk_id").update(offset=10**9))
on_manifest("native_past_everything", "chunks", has("chunk_id"),
            lambda t: first_with(t, "chunk_id").update(offset=2**64 - 1))
on_manifest("native_unknown", "chunks", has("chunk_id"),
            lambda t: first_with(t, "chunk_id").update(chunk_id=bytes(12)))


def first_of_a_file(table: dict):
    """A virtual reference whose source is a file of this machine; the fixtures call them data."""
    return next((r for a in table["arrays"] for r in a["refs"]
                 if (r["location"] or "").startswith(("vcc://data/", "file://"))), None)


for _name, _change in {
    "length_0": {"length": 0},
    "two_checksums": {"checksum_etag": "x", "checksum_last_modified": 5},
    "no_url": {"location": "just/a/path"},
    "upper_case_scheme": {"location": "S3://bucket/x"},
    "container_unknown": {"location": "vcc://nobody/x"},
    "container_without_path": {"location": "vcc://nobody"},
    "container_without_name": {"location": "vcc:///x"},
    "no_utf8": {"location": "s3://b/\udcff"},
    "file_gone": {"location": "file:///nowhere/at/all"},
    "tag_of_a_file": {"checksum_etag": "x", "checksum_last_modified": 0},
    "file_too_short": {"offset": 10**12},
}.items():
    on_manifest(f"virtual_{_name}", "location_dictionary", lambda t: first_of_a_file(t) is not None,
                lambda t, change=_change: first_of_a_file(t).update(change))


@damage("chunks")
def chunk_gone(copy: Copy) -> None:
    reference = first_with(copy.manifest(has("chunk_id")).table, "chunk_id")
    (copy.root / "chunks" / raw.b32(reference["chunk_id"])).unlink()


@damage("chunks")
def chunk_cut(copy: Copy) -> None:
    reference = first_with(copy.manifest(has("chunk_id")).table, "chunk_id")
    path = copy.root / "chunks" / raw.b32(reference["chunk_id"])
    path.write_bytes(path.read_bytes()[:-1])


@damage("chunks")
def manifest_size_without_the_lists(copy: Copy) -> None:
    file = copy.manifest()
    file.save(stored_frame(file.payload()))
