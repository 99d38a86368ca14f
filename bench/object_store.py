#!/usr/bin/env python3
"""What object_store.cc measures, by obstore (Rust object_store from Python); same arguments.

Environment as for the C++ program: AWS_ENDPOINT_URL, AWS_ACCESS_KEY_ID, AWS_SECRET_ACCESS_KEY.
"""
import asyncio
import json
import os
import resource
import sys
import time

import obstore
from obstore.store import S3Store


def cpu():
    usage = resource.getrusage(resource.RUSAGE_SELF)
    return usage.ru_utime + usage.ru_stime


def measure(name, items, unit, work):
    began, before = time.perf_counter(), cpu()
    work()
    print(json.dumps({"client": "obstore", "case": name,
                      f"{unit}_per_s": round(items / (time.perf_counter() - began), 1),
                      f"cpu_us_per_{unit}": round((cpu() - before) * 1e6 / items, 2)}), flush=True)


def at_once(limit, items, work):
    async def run():
        queue = iter(items)

        async def worker():
            for item in queue:
                await work(item)

        await asyncio.gather(*[worker() for _ in range(limit)])

    asyncio.run(run())


def main():
    bucket, _, prefix = sys.argv[1].removeprefix("s3://").partition("/")
    number = int(sys.argv[2]) if len(sys.argv) > 2 else 4000
    mib = int(sys.argv[3]) if len(sys.argv) > 3 else 256
    store = S3Store(bucket, prefix=prefix or None, endpoint=os.environ["AWS_ENDPOINT_URL"],
                    region="us-east-1", client_options={"allow_http": True})
    small = b"\1" * 1024
    keys = [f"small/{100_000 + i}" for i in range(number)]

    async def get(key):
        answer = await obstore.get_async(store, key)
        assert len(await answer.bytes_async()) == 1024

    for limit in (16, 64):
        measure(f"put 1 KiB, {limit} at once", number, "request",
                lambda n=limit: at_once(n, keys, lambda key: obstore.put_async(store, key, small)))
        measure(f"get 1 KiB, {limit} at once", number, "request",
                lambda n=limit: at_once(n, keys, get))

    def list_all():
        assert sum(len(page) for page in obstore.list(store, "small/", chunk_size=1000)) == number

    measure("list", number, "key", list_all)
    large = b"\2" * (mib << 20)
    measure("put large", mib, "mib", lambda: obstore.put(store, "large", large))
    step = 8 << 20
    starts = list(range(0, len(large), step))
    measure("read large in 8 MiB ranges", mib, "mib",
            lambda: obstore.get_ranges(store, "large", starts=starts, lengths=[step] * len(starts)))


if __name__ == "__main__":
    main()
