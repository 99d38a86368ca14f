"""Decode ratios against gribberish and ecCodes, one thread, CPU time, all in one run.

    python bench/grib_decode.py --data FOLDER --ours build/release/bench/grib_decode

FOLDER holds a manifest.json that lists GRIB files with their fields. For each row of the table the
largest real messages that fit it are taken; ours and the peers decode each in turn, `--rounds`
times, and the medians are compared. Ours decodes to float32 and to float64 into one buffer; the
peers as their users call them (gribberish.parse_grib_array; codes_get_values).
"""
import argparse
import json
import os
import resource
import statistics
import subprocess
import tempfile

os.environ.setdefault("OMP_NUM_THREADS", "1")

# row: which fields, least ratio against gribberish, against ecCodes, their stretch
ROWS = [
    ("simple 10-12 bit", lambda f: f["packing_template"] == 0 and 10 <= f["bitsPerValue"] <= 12, 20, 6, ""),
    ("simple 24 bit", lambda f: f["packing_template"] == 0 and f["bitsPerValue"] == 24, 8, None, ""),
    ("complex 5.2", lambda f: f["packing_template"] == 2, 8, 7, ""),
    ("5.3 without missing", lambda f: f["packing_template"] == 3 and not f["n_missing"], 7, 5, "10"),
    ("5.3 with missing", lambda f: f["packing_template"] == 3 and f["n_missing"], 4, 4, ""),
    ("CCSDS", lambda f: f["packing_template"] == 42, 1.3, 1.4, "2.5, 3"),
    ("PNG, MRMS", lambda f: f["packing_template"] == 41 and f["n_values"] == 24500000 and not f["bitmap"], 1.4, 1.8, ""),
    ("PNG, GFS", lambda f: f["packing_template"] == 41 and f["n_values"] < 24500000 and not f["bitmap"], 0.95, 1.8, ""),
    ("JPEG 2000", lambda f: f["packing_template"] == 40, 0.95, 0.95, ""),
]


def cpu():
    usage = resource.getrusage(resource.RUSAGE_SELF)
    return usage.ru_utime + usage.ru_stime


def timed(work, seconds):
    begin, calls = cpu(), 0
    while True:
        work()
        calls += 1
        spent = cpu() - begin
        if spent >= seconds:
            return spent / calls


def pick(data, fits, count):
    """[(path, field)]: the largest messages, one per file."""
    found = []
    for file in json.load(open(os.path.join(data, "manifest.json")))["files"]:
        if file["path"].startswith("derived/"):
            continue
        several = {f["message"] for f in file["fields"] if f["submessage"]}
        fields = [f for f in file["fields"]
                  if f.get("edition") == 2 and "sha256_f64" in f and f["length"] >= 20000
                  and f["message"] not in several and fits(f)]
        if fields:
            found.append((file["path"], max(fields, key=lambda f: f["length"])))
    return sorted(found, key=lambda x: -x[1]["length"])[:count]


def measure(message, path, options):
    import eccodes
    import gribberish

    def by_eccodes():
        handle = eccodes.codes_new_from_message(message)
        eccodes.codes_get_values(handle)
        eccodes.codes_release(handle)

    def ours(dtype):
        command = [options.ours, "--dtype", dtype, "--seconds", str(options.seconds), path]
        return json.loads(subprocess.run(command, check=True, capture_output=True).stdout)["cpu_s"]

    runs = {"float32": lambda: ours("float32"), "float64": lambda: ours("float64"),
            "gribberish": lambda: timed(lambda: gribberish.parse_grib_array(message, 0), options.seconds),
            "eccodes": lambda: timed(by_eccodes, options.seconds)}
    times = {name: [] for name in runs}
    for _ in range(options.rounds):
        for name, run in runs.items():
            try:
                times[name].append(run())
            except (Exception, BaseException) as error:  # a peer's panic is no Exception
                if isinstance(error, KeyboardInterrupt):
                    raise
    return {name: statistics.median(t) if t else None for name, t in times.items()}


def ratio(peer, ours):
    return f"{peer / ours:.1f}" if peer else "-"


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--data", required=True)
    parser.add_argument("--ours", required=True)
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--seconds", type=float, default=0.2, help="CPU seconds of one measurement")
    parser.add_argument("--messages", type=int, default=2, help="per row")
    parser.add_argument("--only", default="", help="rows whose name holds this text")
    options = parser.parse_args()
    print("| row | file | bits | float32, float64 ns/point | gribberish / ours | budget | ecCodes / ours | budget | stretch |")
    print("|---|---|---|---|---|---|---|---|---|")
    with tempfile.TemporaryDirectory() as folder:
        for name, fits, least_gribberish, least_eccodes, stretch in ROWS:
            if options.only not in name:
                continue
            for file, field in pick(options.data, fits, options.messages):
                with open(os.path.join(options.data, file), "rb") as source:
                    source.seek(field["offset"])
                    message = source.read(field["length"])
                path = os.path.join(folder, "message.grib2")
                with open(path, "wb") as target:
                    target.write(message)
                t = measure(message, path, options)
                points = field["n_values"]
                print(f"| {name} | {os.path.basename(file)[-34:]} | {field['bitsPerValue']} "
                      f"| {t['float32'] / points * 1e9:.2f}, {t['float64'] / points * 1e9:.2f} "
                      f"| {ratio(t['gribberish'], t['float32'])}, {ratio(t['gribberish'], t['float64'])} | {least_gribberish} "
                      f"| {ratio(t['eccodes'], t['float32'])}, {ratio(t['eccodes'], t['float64'])} | {least_eccodes or '-'} | {stretch} |",
                      flush=True)


if __name__ == "__main__":
    main()
