"""Damages of the repo object and its log of operations."""

from __future__ import annotations

import time

from icechunk_damage_kit import DAMAGES, Copy, damage, on_repo, swap, tip_of
from icechunk_files import flex, raw

INITIAL = "1CECHNKREP0F1RSTCMT0"

on_repo("repo_spec_version", "chunks", lambda t: t.update(spec_version=3))
on_repo("tags_unsorted", "refs", lambda t: swap(t["tags"]))
on_repo("branches_unsorted", "refs", lambda t: swap(t["branches"]))
on_repo("branch_twice", "refs", lambda t: t["branches"].append(dict(t["branches"][-1])))
on_repo("deleted_tags_unsorted", "refs", lambda t: t.update(deleted_tags=["z", "a"]))
on_repo("flags_unsorted", "refs", lambda t: t.update(enabled_feature_flags=[5, 4]))
on_repo("flag_twice", "refs", lambda t: t.update(disabled_feature_flags=[4, 4]))
on_repo("no_main", "refs", lambda t: t.update(
    branches=[b for b in t["branches"] if b["name"] != "main"]))
on_repo("tag_and_deleted", "refs", lambda t: t.update(deleted_tags=[t["tags"][0]["name"]]))
on_repo("branch_out_of_range", "refs", lambda t: t["branches"][0].update(snapshot_index=99))
on_repo("tag_out_of_range", "refs", lambda t: t["tags"][0].update(snapshot_index=99))
on_repo("offline", "chunks", lambda t: t["status"].update(availability=2))
on_repo("availability_unknown", "chunks", lambda t: t["status"].update(availability=9))
on_repo("config_no_map", "configured", lambda t: t.update(config=flex([1, 2])))
on_repo("config_no_flexbuffer", "configured", lambda t: t.update(config=b"\xff\x00\x01"))
on_repo("config_wrong_type", "configured", lambda t: t.update(
    config=flex({"inline_chunk_threshold_bytes": "many"})))
on_repo("config_out_of_range", "configured", lambda t: t.update(
    config=flex({"inline_chunk_threshold_bytes": 70000})))
on_repo("config_container_without_store", "configured", lambda t: t.update(config=flex(
    {"virtual_chunk_containers": {"s3://b/": {"name": "b", "url_prefix": "s3://b/"}}})))
on_repo("config_container_of_no_kind", "configured", lambda t: t.update(config=flex(
    {"virtual_chunk_containers": {"s3://b/": {"name": "b", "url_prefix": "s3://b/",
                                             "store": {"tape": {}}}}})))
on_repo("config_container_incomplete", "configured", lambda t: t.update(config=flex(
    {"virtual_chunk_containers": {"s3://b/": {"name": "b", "url_prefix": "s3://b/",
                                             "store": {"s3": {"region": "x"}}}}})))
on_repo("config_preload_condition", "configured", lambda t: t.update(config=flex(
    {"manifest": {"preload": {"preload_if": {"perhaps": []}}}})))
on_repo("config_splitting_condition", "configured", lambda t: t.update(config=flex(
    {"manifest": {"splitting": {"split_sizes": [["some_array", []]]}}})))
on_repo("metadata_unsorted", "chunks", lambda t: t.update(metadata=[
    {"name": "b", "value": flex(1)}, {"name": "a", "value": flex(1)}]))
on_repo("metadata_no_flexbuffer", "chunks", lambda t: t.update(metadata=[
    {"name": "b", "value": b"\xff\xff\xff"}]))


def reindexed(table: dict, order: list[int]) -> None:
    """Puts the snapshots into another order without breaking what refers to them."""
    to = {old: new for new, old in enumerate(order)}
    table["snapshots"] = [table["snapshots"][i] for i in order]
    for snapshot in table["snapshots"]:
        if snapshot["parent_offset"] >= 0:
            snapshot["parent_offset"] = to[snapshot["parent_offset"]]
    for ref in table["branches"] + table["tags"]:
        ref["snapshot_index"] = to[ref["snapshot_index"]]


on_repo("snapshots_unsorted", "refs", lambda t: reindexed(
    t, list(reversed(range(len(t["snapshots"]))))))
on_repo("snapshot_twice", "chunks", lambda t: t["snapshots"].append(dict(t["snapshots"][-1])))
on_repo("parent_out_of_range", "chunks", lambda t: tip_of(t).update(parent_offset=77))
on_repo("parent_below_minus_one", "chunks", lambda t: tip_of(t).update(parent_offset=-2))
on_repo("parent_of_itself", "chunks", lambda t: tip_of(t).update(
    parent_offset=t["snapshots"].index(tip_of(t))))
on_repo("times_not_rising", "chunks", lambda t: tip_of(t).update(flushed_at=1))
on_repo("message_differs", "chunks", lambda t: tip_of(t).update(message="another"))
on_repo("commit_metadata_differs", "chunks", lambda t: tip_of(t).update(
    metadata=[{"name": "x", "value": flex(1)}]))
on_repo("number_for_bool_in_metadata", "empty", lambda t: t["snapshots"][0].update(
    metadata=[{"name": "__icechunk", "value": flex({"is_root": 1})}]))
on_repo("empty_pruned_list", "chunks", lambda t: tip_of(t).update(pruned_ancestor_tx_logs=[]))
on_repo("pruned_log_unknown", "chunks", lambda t: tip_of(t).update(
    pruned_ancestor_tx_logs=[bytes(12)]))


@damage("moves")
def parents_in_a_ring(copy: Copy) -> None:
    file = copy.repo()
    snapshots = file.table["snapshots"]
    child = tip_of(file.table)
    parent = snapshots[child["parent_offset"]]
    parent["parent_offset"] = snapshots.index(child)
    file.save()


@damage("chunks")
def initial_has_a_parent(copy: Copy) -> None:
    file = copy.repo()
    snapshots = file.table["snapshots"]
    initial = next(s for s in snapshots if raw.b32(s["id"]) == INITIAL)
    initial["parent_offset"] = snapshots.index(tip_of(file.table))
    file.save()


@damage("chunks")
def initial_not_listed(copy: Copy) -> None:
    file = copy.repo()
    index = next(i for i, s in enumerate(file.table["snapshots"]) if raw.b32(s["id"]) == INITIAL)
    for snapshot in file.table["snapshots"]:
        at = snapshot["parent_offset"]
        snapshot["parent_offset"] = -1 if at == index else at - (at > index)
    for ref in file.table["branches"] + file.table["tags"]:
        ref["snapshot_index"] -= ref["snapshot_index"] > index
    del file.table["snapshots"][index]
    file.save()


# ------------------------------------------------------- log of operations

on_repo("log_empty", "chunks", lambda t: t.update(latest_updates=[]))
on_repo("newest_has_backup", "chunks", lambda t: t["latest_updates"][0].update(
    backup_path=t["latest_updates"][1]["backup_path"]))
on_repo("older_without_backup", "chunks", lambda t: t["latest_updates"][1].update(
    backup_path=None))
on_repo("backup_unknown", "chunks", lambda t: t["latest_updates"][1].update(
    backup_path="repo.30707712788085.T4RCMBCNXWNQFHJ8P19G"))
on_repo("operations_unsorted", "refs", lambda t: t["latest_updates"][1].update(
    updated_at=t["latest_updates"][0]["updated_at"]))
on_repo("operations_backwards", "refs", lambda t: t["latest_updates"][3].update(
    updated_at=t["latest_updates"][2]["updated_at"] + 5))
on_repo("newest_in_the_future", "chunks", lambda t: t["latest_updates"][0].update(
    updated_at=int(time.time() * 1e6) + 10**10))
on_repo("log_without_creation", "chunks", lambda t: t["latest_updates"].pop())
on_repo("log_goes_on_nowhere", "chunks", lambda t: t.update(
    repo_before_updates="repo.30707712788085.T4RCMBCNXWNQFHJ8P19G"))


@damage("many_commits")
def log_in_a_ring(copy: Copy) -> None:
    name = copy.repo().table["repo_before_updates"]
    file = copy.backup(name)
    file.table["repo_before_updates"] = name
    for age, update in enumerate(file.table["latest_updates"]):
        update["updated_at"] = 1000 - age
    file.save()


@damage("many_commits")
def older_log_gone(copy: Copy) -> None:
    (copy.root / "overwritten" / copy.repo().table["repo_before_updates"]).unlink()


@damage("many_commits")
def older_log_damaged(copy: Copy) -> None:
    file = copy.backup(copy.repo().table["repo_before_updates"])
    file.write(file.path.read_bytes()[:-3])


@damage("many_commits")
def older_log_empty(copy: Copy) -> None:
    file = copy.backup(copy.repo().table["repo_before_updates"])
    file.table["latest_updates"] = []
    file.save()


@damage("many_commits")
def older_log_is_newer(copy: Copy) -> None:
    file = copy.backup(copy.repo().table["repo_before_updates"])
    file.table["latest_updates"][0]["updated_at"] += 10**9
    file.save()


@damage("many_commits")
def one_backup_gone(copy: Copy) -> None:
    (copy.root / "overwritten" / copy.repo().table["latest_updates"][2]["backup_path"]).unlink()
