"""Every way of damaging a repository that icechunk_damage.py tries: DAMAGES, by name.

Here: envelopes, transaction logs, spec version 1, hostile buffers; the rest is imported.
"""

from __future__ import annotations

import struct

import icechunk_damages_of_repo  # noqa: F401  (fills DAMAGES)
import icechunk_damages_of_snapshots  # noqa: F401
from icechunk_damage_kit import DAMAGES, Copy, array_of, damage, header_byte, on_log, swap
from icechunk_files import File, frame, raw, stored_frame

__all__ = ["DAMAGES", "Copy"]

# ---------------------------------------------------------------- envelopes


def of_every_kind(name: str, change) -> None:
    for kind, find in (("repo", Copy.repo), ("snapshot", Copy.snapshot), ("log", Copy.log),
                       ("manifest", Copy.manifest)):
        DAMAGES[f"{kind}_{name}"] = (
            "chunks", lambda copy, find=find: change(find(copy)))


of_every_kind("gone", lambda file: file.path.unlink())
of_every_kind("empty", lambda file: file.write(b""))
of_every_kind("cut", lambda file: file.write(file.path.read_bytes()[:-7]))
of_every_kind("prolonged", lambda file: file.write(file.path.read_bytes() + b"\0"))
of_every_kind("two_frames", lambda file: file.save(frame(file.payload()) + frame(b"again")))
of_every_kind("undeclared_size", lambda file: file.save(stored_frame(file.payload(), False)))
of_every_kind("payload_cut", lambda file: file.save(frame(file.payload()[:-9])))
of_every_kind("magic", header_byte(3, 0))
of_every_kind("version_3", header_byte(36, 3))
DAMAGES["repo_version_1"] = ("chunks", lambda copy: header_byte(36, 1)(copy.repo()))
of_every_kind("type_of_another", header_byte(37, 3))
of_every_kind("uncompressed", header_byte(38, 0))
of_every_kind("writer_with_control", header_byte(13, 7))


def no_identifier(file: File) -> None:
    file.identifier = b"None"
    file.save()


of_every_kind("identifier", no_identifier)


def no_writer(file: File) -> None:
    file.header[12:36] = b" " * 24
    file.write(bytes(file.header) + file.path.read_bytes()[raw.HEADER_LEN :])


of_every_kind("without_writer", no_writer)


def other_id(file: File) -> None:
    file.table["id"] = bytes(12)
    file.save()


for _kind, _find in (("snapshot", Copy.snapshot), ("log", Copy.log), ("manifest", Copy.manifest)):
    DAMAGES[f"{_kind}_of_another_id"] = ("chunks", lambda copy, f=_find: other_id(f(copy)))

# --------------------------------------------------------- transaction logs

on_log("log_groups_unsorted", "groups", "new_groups", lambda t: t.update(
    new_groups=t["new_groups"][::-1] if len(t["new_groups"]) > 1 else [b"\xff" * 8, bytes(8)]))
on_log("log_arrays_twice", "chunks", "new_arrays", lambda t: t["new_arrays"].append(
    t["new_arrays"][-1]))
on_log("log_new_array_missing", "chunks", "new_arrays", lambda t: t["new_arrays"].pop())
on_log("log_new_group_missing", "groups", "new_groups", lambda t: t["new_groups"].pop())
on_log("log_chunks_missing", "chunks", "updated_chunks", lambda t: t.update(updated_chunks=[]))
on_log("log_one_chunk_missing", "chunks", "updated_chunks", lambda t: [
    a["chunks"].pop() for a in t["updated_chunks"] if len(a["chunks"]) > 1])
on_log("log_chunks_unsorted", "chunks", "updated_chunks", lambda t: swap(
    next(a["chunks"] for a in t["updated_chunks"] if len(a["chunks"]) > 1)))
on_log("log_chunk_twice", "chunks", "updated_chunks", lambda t: t["updated_chunks"][0]["chunks"]
       .append(t["updated_chunks"][0]["chunks"][-1]))
on_log("log_chunk_arrays_unsorted", "chunks", "updated_chunks", lambda t: t[
    "updated_chunks"].append(t["updated_chunks"][0]))
on_log("log_moves_missing", "moves", "moved_nodes", lambda t: t.update(moved_nodes=None))
on_log("log_move_from_elsewhere", "moves", "moved_nodes", lambda t: t["moved_nodes"][0].update(
    **{"from": "/somewhere/else"}))
on_log("log_move_to_itself", "moves", "moved_nodes", lambda t: t["moved_nodes"][0].update(
    **{"from": t["moved_nodes"][0]["to"]}))
on_log("log_move_of_another_kind", "moves", "moved_nodes", lambda t: t["moved_nodes"][0].update(
    node_type=1 - t["moved_nodes"][0]["node_type"]))
on_log("log_move_without_from", "moves", "moved_nodes", lambda t: t["moved_nodes"][0].update(
    **{"from": None}))
on_log("log_move_without_node", "moves", "moved_nodes", lambda t: t["moved_nodes"][0].update(
    node_id=None))
on_log("log_move_of_no_path", "moves", "moved_nodes", lambda t: t["moved_nodes"][0].update(
    **{"from": "no//path/"}))
on_log("log_moves_unsorted", "moves", "moved_nodes", lambda t: t["moved_nodes"].append(
    dict(t["moved_nodes"][0])))
on_log("log_of_updates_missing", "groups", "updated_groups", lambda t: t.update(updated_groups=[]))


@damage("expired")
def cut_out_log_gone(copy: Copy) -> None:
    snapshot = next(s for s in copy.repo().table["snapshots"] if s["pruned_ancestor_tx_logs"])
    (copy.root / "transactions" / raw.b32(snapshot["pruned_ancestor_tx_logs"][0])).unlink()


@damage("expired")
def cut_out_log_damaged(copy: Copy) -> None:
    snapshot = next(s for s in copy.repo().table["snapshots"] if s["pruned_ancestor_tx_logs"])
    file = copy.log(raw.b32(snapshot["pruned_ancestor_tx_logs"][0]))
    file.write(file.path.read_bytes()[:-2])


@damage("expired")
def cut_out_logs_forgotten(copy: Copy) -> None:
    file = copy.repo()
    for snapshot in file.table["snapshots"]:
        snapshot["pruned_ancestor_tx_logs"] = None
    file.save()


# ----------------------------------------------------------- spec version 1


@damage("spec1")
def v1_ref_without_snapshot(copy: Copy) -> None:
    (copy.root / "refs/branch.main/ref.json").write_text("{}")


@damage("spec1")
def v1_ref_to_nothing(copy: Copy) -> None:
    (copy.root / "refs/branch.main/ref.json").write_text('{"snapshot":"%s"}' % ("0" * 20))


@damage("spec1")
def v1_stray_ref(copy: Copy) -> None:
    (copy.root / "refs/twig.x").mkdir()
    (copy.root / "refs/twig.x/ref.json").write_text('{"snapshot":"%s"}' % copy.tip())


@damage("spec1")
def v1_log_gone(copy: Copy) -> None:
    (copy.root / "transactions" / copy.tip()).unlink()


@damage("spec1")
def v1_file_of_version_2(copy: Copy) -> None:
    header_byte(36, 2)(copy.snapshot())


@damage("spec1")
def v1_manifest_gone(copy: Copy) -> None:
    listed = copy.snapshot().table["manifest_files"]
    (copy.root / "manifests" / raw.b32(listed[0]["id"])).unlink()


@damage("spec1")
def v1_times_not_rising(copy: Copy) -> None:
    file = copy.snapshot()
    file.table["flushed_at"] = 7
    file.save()


@damage("spec1")
def v1_chunk_length(copy: Copy) -> None:
    file = copy.snapshot()
    node = array_of(file.table, lambda n: n["node_data"]["shape"])
    length, _ = node["node_data"]["shape"][0]
    node["node_data"]["shape"][0] = [length, length + 1]
    file.save()


@damage("migrated")
def migrated_log_gone(copy: Copy) -> None:
    (copy.root / "transactions" / copy.tip()).unlink()


def hostile(name: str, change) -> None:
    """Ways in a snapshot's buffer that lead elsewhere."""

    def done(copy: Copy) -> None:
        file = copy.snapshot()
        payload = bytearray(file.payload())
        change(payload)
        file.save(frame(bytes(payload)))

    DAMAGES[name] = ("chunks", done)


hostile("root_outside", lambda p: struct.pack_into("<I", p, 0, len(p) + 8))
hostile("root_at_itself", lambda p: struct.pack_into("<I", p, 0, 0))
hostile("root_misaligned", lambda p: struct.pack_into("<I", p, 0, struct.unpack_from("<I", p)[0] + 1))
hostile("vtable_outside", lambda p: struct.pack_into(
    "<i", p, struct.unpack_from("<I", p)[0], -(2**30)))


def too_long(payload: bytearray) -> None:
    """The root table's own size, in its vtable."""
    root = struct.unpack_from("<I", payload)[0]
    struct.pack_into("<H", payload, root - struct.unpack_from("<i", payload, root)[0] + 2, 60_000)


hostile("root_too_long", too_long)
