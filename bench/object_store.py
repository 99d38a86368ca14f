#!/usr/bin/env python3
"""Requests, keys and bytes per second of this project's object stores beside obstore's (Rust
object_store from Python), and the processor time that each costs the client.

    export AWS_ACCESS_KEY_ID=... AWS_SECRET_ACCESS_KEY=... AWS_ENDPOINT_URL=http://127.0.0.1:9300
    python bench/object_store.py --program build/release/bench/object_store --url s3://BUCKET/bench \\
        --slow-endpoint http://127.0.0.1:9700

The bucket exists. --slow-endpoint is a proxy to the same server that delays every answer by 25 ms.
Each figure is the median of --rounds interleaved runs, each in a fresh process; rates near the limit
of the server or the proxy say little about the client, processor time does. Prints a Markdown table;
--json FILE keeps every run.
"""
import argparse
import asyncio
import json
import os
import resource
import statistics
import subprocess
import sys
import time

PART = 8 << 20
SMALL = 1024


# ----------------------------------------------------------------------------- the counterpart


def small_key(number):
    return f"small/{1_000_000 + number}"


def at_once(limit, number, work):
    async def run():
        queue = iter(range(number))

        async def worker():
            for item in queue:
                await work(item)

        await asyncio.gather(*[worker() for _ in range(limit)])

    asyncio.run(run())


def counterpart(url, name, items, limit):
    import obstore
    from obstore.store import S3Store

    bucket, _, prefix = url.removeprefix("s3://").partition("/")
    store = S3Store(bucket, prefix=prefix or None, endpoint=os.environ["AWS_ENDPOINT_URL"],
                    region="us-east-1", client_options={"allow_http": True})
    small = b"\1" * SMALL
    large = b"\2" * (items << 20) if name == "write" else b""

    async def get(number):
        answer = await obstore.get_async(store, small_key(number))
        assert len(await answer.bytes_async()) == SMALL

    async def read(number):
        part = await obstore.get_range_async(store, "large", start=number * PART, length=PART)
        assert len(part) == PART

    def listing():
        assert sum(len(page) for page in obstore.list(store, "small/", chunk_size=1000)) == items

    works = {
        "put": lambda: at_once(limit, items, lambda n: obstore.put_async(store, small_key(n), small)),
        "put_many": lambda: works["put"](),
        "get": lambda: at_once(limit, items, get),
        "list": listing,
        "write": lambda: obstore.put(store, "large", large),
        "read": lambda: at_once(limit, (items << 20) // PART, read),
    }
    began, before = time.perf_counter(), cpu()
    works[name]()
    print(json.dumps({"client": "obstore", "work": name, "ok": True, "items": items,
                      "seconds": time.perf_counter() - began, "cpu_s": cpu() - before}))


def cpu():
    usage = resource.getrusage(resource.RUSAGE_SELF)
    return usage.ru_utime + usage.ru_stime


# ----------------------------------------------------------------------------- the comparison


def cases(args):
    """(title, endpoint, work, items, at once, unit)"""
    fast = os.environ["AWS_ENDPOINT_URL"]
    rows = [
        ("small GET, 64 in flight", fast, "get", args.requests, 64, "request"),
        ("small PUT, 64 in flight, one call", fast, "put_many", args.requests, 64, "request"),
        ("small PUT, 64 in flight, each by its thread", fast, "put", args.requests, 64, "request"),
        (f"listing of {args.keys:,} keys", fast, "list", args.keys, 1, "key"),
        (f"{args.mib} MiB read in 8 MiB ranges, 4 in flight", fast, "read", args.mib, 4, "MiB"),
        (f"{args.mib} MiB read in 8 MiB ranges, 16 in flight", fast, "read", args.mib, 16, "MiB"),
    ]
    if args.slow_endpoint:
        rows += [
            ("small GET, 25 ms, 16 in flight", args.slow_endpoint, "get", args.slow_requests, 16,
             "request"),
            ("small PUT, 25 ms, 16 in flight", args.slow_endpoint, "put", args.slow_requests, 16,
             "request"),
        ]
    return [row for row in rows if not args.only or row[2] in args.only]


def run(command, endpoint):
    done = subprocess.run(command, env={**os.environ, "AWS_ENDPOINT_URL": endpoint,
                                        "AWS_REGION": "us-east-1"},
                          stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    # obstore's interpreter sometimes aborts while it ends; its work is done by then
    line = done.stdout.splitlines()[-1] if done.stdout else "{}"
    if not json.loads(line).get("ok"):
        raise SystemExit(f"{' '.join(command)} failed:\n{done.stdout}{done.stderr}")
    return json.loads(line)


def prepare(args):
    fast = os.environ["AWS_ENDPOINT_URL"]
    works = {row[2] for row in cases(args)}
    filled = args.keys if "list" in works else max(args.requests, args.slow_requests)
    run([args.program, args.url, "put_many", str(filled)], fast)
    if "read" in works:
        run([args.program, args.url, "write", str(args.mib)], fast)


def compare(args):
    results = {}
    for number in range(args.rounds):
        for row in cases(args):
            title, endpoint, work, items, limit, _ = row
            words = [args.url, work, str(items), str(limit)]
            pair = [("icefield", [args.program, *words]),
                    ("obstore", [sys.executable, os.path.abspath(__file__), "--counterpart", *words])]
            for client, command in pair if number % 2 == 0 else reversed(pair):
                one = run(command, endpoint)
                results.setdefault((title, client), []).append(one)
                if args.json:
                    with open(args.json, "a", encoding="utf-8") as file:
                        print(json.dumps({"title": title, **one}), file=file)
    return results


def show(args, results):
    print("| | icefield, per s | obstore, per s | ratio | CPU icefield | CPU obstore | ratio |")
    print("|---|---|---|---|---|---|---|")
    for title, _, _, _, _, unit in cases(args):
        figures = []
        for client in ("icefield", "obstore"):
            runs = results[title, client]
            figures.append((statistics.median(one["items"] / one["seconds"] for one in runs),
                            statistics.median(one["cpu_s"] / one["items"] * 1e6 for one in runs)))
        (rate, ours), (peer_rate, theirs) = figures
        print(f"| {title} | {rate:,.0f} | {peer_rate:,.0f} | {rate / peer_rate:.2f} "
              f"| {ours:.1f} µs/{unit} | {theirs:.1f} µs/{unit} | {ours / theirs:.2f} |")


def main():
    if sys.argv[1:2] == ["--counterpart"]:
        url, name, items, limit = sys.argv[2:6]
        return counterpart(url, name, int(items), int(limit))
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--program", required=True, help="build/release/bench/object_store")
    parser.add_argument("--url", required=True, help="s3://BUCKET/PREFIX")
    parser.add_argument("--slow-endpoint")
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--requests", type=int, default=10_000)
    parser.add_argument("--slow-requests", type=int, default=2_000)
    parser.add_argument("--keys", type=int, default=100_000)
    parser.add_argument("--mib", type=int, default=1024)
    parser.add_argument("--filled", action="store_true",
                        help="the objects are there, from an earlier run")
    parser.add_argument("--only", action="append", choices=["get", "put", "put_many", "list", "read"])
    parser.add_argument("--json")
    args = parser.parse_args()
    if not args.filled:
        prepare(args)
    show(args, compare(args))
    return 0


if __name__ == "__main__":
    sys.exit(main())
