#!/usr/bin/env python3
"""Processes of the official library and of this project commit to one branch of one repository on an
S3 server at the same time. Every commit must be in the history once, and every value in the array.

    python mixed_committers.py --committer build/dev/tests/stores/store_committer \\
        --endpoint http://127.0.0.1:9300 --bucket conformance --prefix mixed

The bucket exists; credentials are AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY. The repository stays
for whoever judges its bytes.
"""
import argparse
import json
import multiprocessing
import os
import subprocess
import sys
import time


def arguments():
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--committer", required=True, help="the program store_committer")
    parser.add_argument("--endpoint", required=True)
    parser.add_argument("--bucket", required=True)
    parser.add_argument("--prefix", required=True)
    parser.add_argument("--official", type=int, default=8, help="processes of the official library")
    parser.add_argument("--ours", type=int, default=8, help="processes of store_committer")
    parser.add_argument("--commits", type=int, default=5, help="of each process")
    return parser.parse_args()


def storage(args):
    import icechunk

    return icechunk.s3_storage(
        bucket=args.bucket, prefix=args.prefix, endpoint_url=args.endpoint, allow_http=True,
        region="us-east-1", force_path_style=True, access_key_id=os.environ["AWS_ACCESS_KEY_ID"],
        secret_access_key=os.environ["AWS_SECRET_ACCESS_KEY"])


def make(args):
    import icechunk
    import zarr

    session = icechunk.Repository.create(storage(args)).writable_session("main")
    zarr.create_array(session.store, name="a", shape=(args.official + args.ours, args.commits),
                      chunks=(1, 1), dtype="int32", fill_value=0, compressors=None)
    session.commit("array")


def value(row, column):
    return row * 1000 + column + 1


def commit_officially(args, row, gate, results):
    import icechunk
    import zarr

    try:
        repository = icechunk.Repository.open(storage(args))
    finally:
        gate.wait()
    landed = 0
    for column in range(args.commits):
        session = repository.writable_session("main")
        zarr.open_array(session.store, path="a")[row, column] = value(row, column)
        try:
            session.commit(f"{row}-{column}", rebase_with=icechunk.ConflictDetector(),
                           rebase_tries=1000)
            landed += 1
        except icechunk.IcechunkError as error:
            print(f"official writer {row}, commit {column}: {str(error)[:300]}", flush=True)
    results.put((row, landed, time.time()))


def start_ours(args):
    environment = {**os.environ, "AWS_ENDPOINT_URL": args.endpoint, "AWS_REGION": "us-east-1"}
    url = f"s3://{args.bucket}/{args.prefix}"
    writers = []
    for row in range(args.official, args.official + args.ours):
        writers.append(subprocess.Popen([args.committer, url, str(row), str(args.commits)],
                                        stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True,
                                        env=environment))
    for writer in writers:
        assert writer.stdout.readline() == "ready\n", "store_committer cannot open the repository"
    return writers


def run(args):
    """Seconds that each side took, and what went wrong."""
    context = multiprocessing.get_context("spawn")
    gate, results = context.Barrier(args.official + 1), context.Queue()
    official = [context.Process(target=commit_officially, args=(args, row, gate, results))
                for row in range(args.official)]
    for process in official:
        process.start()
    ours = start_ours(args)
    gate.wait()
    began = time.time()
    for writer in ours:
        writer.stdin.write("go\n")
        writer.stdin.close()
    faults, rebases = [], 0
    for writer in ours:
        said = writer.stdout.read()
        if writer.wait() != 0:
            faults.append("a store_committer failed")
        else:
            rebases += json.loads(said)["rebases"]
    ours_end = time.time()
    ends = [began]
    for _ in official:
        row, landed, end = results.get(timeout=500)
        ends.append(end)
        if landed != args.commits:
            faults.append(f"official writer {row} landed {landed} commits")
    for process in official:
        process.join()
    print(f"{args.official} official writers: {max(ends) - began:.1f} s; {args.ours} of ours: "
          f"{ours_end - began:.1f} s, {rebases} lost races; {args.commits} commits each")
    return faults


def judge(args):
    import icechunk
    import zarr

    repository = icechunk.Repository.open(storage(args))
    rows = range(args.official + args.ours)
    messages = [snapshot.message for snapshot in repository.ancestry(branch="main")]
    faults = []
    for message in (f"{row}-{column}" for row in rows for column in range(args.commits)):
        if messages.count(message) != 1:
            faults.append(f"commit {message} is in the history {messages.count(message)} times")
    array = zarr.open_array(repository.readonly_session("main").store, path="a", mode="r")[:]
    for row in rows:
        for column in range(args.commits):
            if array[row, column] != value(row, column):
                faults.append(f"element [{row}, {column}] is {array[row, column]}")
    return faults


def main():
    args = arguments()
    make(args)
    faults = run(args) + judge(args)
    for fault in faults[:20]:
        print(f"FAILED: {fault}")
    if not faults:
        total = (args.official + args.ours) * args.commits
        print(f"{total} commits, each in the history once and its value in the array")
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
