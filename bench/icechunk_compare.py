"""Every Icechunk figure beside the official library's, from the same work in one run.

    python bench/icechunk_compare.py --programs build/release/bench [--only flush] [--repeat 3]

The interpreter needs tests/interop/requirements.txt (tests/interop/environment.sh prints one that has it).
The two sides take turns; each figure is the median of its repetitions, in processes of their own. Prints
one JSON line per case, then one table: subject, icefield, official, their ratio, budget.
"""

import argparse
import json
import pathlib
import statistics
import subprocess
import sys
import tempfile

OFFICIAL = pathlib.Path(__file__).with_name("icechunk_official.py")
FLUSHES = [(1, 230), (20, 230), (142, 230), (1, 1956), (20, 1956), (142, 1956)]  # 0.2, 1.7 MiB
LEADS = 49


class Table:
    """Rows of figures; `better` says which way the ratio goes."""

    def __init__(self):
        self.rows = []

    def add(self, subject, ours, official, budget="", better="less", unit=""):
        ratio = ""
        if ours and official:
            ratio = number(official / ours if better == "less" else ours / official)
        self.rows.append([subject, shown(ours, unit), shown(official, unit), ratio, budget])

    def print(self):
        print("\n| subject | icefield | official | ratio | budget |\n|---|---|---|---|---|")
        for row in self.rows:
            print("| " + " | ".join(row) + " |")


def number(value):
    if value == int(value) and value < 1000:
        return str(int(value))
    if value >= 10_000:
        return f"{value:,.0f}"
    return f"{value:.3g}" if value < 1000 else f"{value:.0f}"


def shown(value, unit):
    return "" if value is None else number(value) + (" " + unit if unit else "")


def run(command, seconds=1800):
    done = subprocess.run([str(word) for word in command], capture_output=True, text=True,
                          timeout=seconds, check=False)
    if done.returncode != 0:
        sys.exit(f"{command}: {done.stderr}")
    return json.loads(done.stdout.splitlines()[-1])


def median_of(results):
    """Field by field; numbers by their median, all else from the first."""
    first = results[0]
    merged = {}
    for key, value in first.items():
        if isinstance(value, dict):
            merged[key] = median_of([result[key] for result in results])
        elif isinstance(value, (int, float)) and not isinstance(value, bool):
            merged[key] = statistics.median(result[key] for result in results)
        else:
            merged[key] = value
    return merged


class Sides:
    def __init__(self, programs, repeat):
        self.programs, self.repeat = pathlib.Path(programs), repeat

    def both(self, program, subject, *numbers, repeat=None):
        """Ours and theirs in turns."""
        mine, theirs = [], []
        for _ in range(repeat or self.repeat):
            mine.append(run([self.programs / program, *numbers]))
            theirs.append(run([sys.executable, OFFICIAL, subject, *[n for n in numbers if n != subject]]))
        return self.tell(median_of(mine)), self.tell(median_of(theirs), "official")

    def ours(self, program, *words):
        return self.tell(median_of([run([self.programs / program, *words])
                                    for _ in range(self.repeat)]))

    def official(self, *words):
        return self.tell(run([sys.executable, OFFICIAL, *words]), "official")

    @staticmethod
    def tell(result, side="icefield"):
        print(json.dumps({"side": side, **result}), flush=True)
        return result


def staging(sides, table):
    ours, theirs = sides.both("icechunk_staging", "staging", 20, 1000, LEADS)
    table.add("references staged per CPU second", ours["staged_per_cpu_s"],
              theirs["staged_per_cpu_s"], "≥ 5 M", "more")
    table.add("memory per staged reference", ours["memory_bytes_per_staged"], None, "≤ 48 B", unit="B")
    table.add("commit, CPU per new reference", ours["commit_us_per_reference"],
              theirs["commit_us_per_reference"], "≤ 0.5 µs", unit="µs")
    table.add("manifest bytes per reference", ours["manifest_bytes_per_reference"],
              theirs["manifest_bytes_per_reference"], "≤ 14 B", unit="B")


def flush(sides, table):
    for arrays, filled in FLUSHES:
        repeat = sides.repeat if arrays < 142 else 1
        ours, theirs = sides.both("icechunk_commit", "flush", "flush", arrays, filled, LEADS,
                                  repeat=repeat)
        mib = f"{theirs['active_manifest_bytes'] / (1 << 20):.1f} MiB"
        largest = arrays == 142 and filled > 1000
        for turn in ("cold", "warm"):
            table.add(f"append of 2 to {arrays} x {mib}, {turn}, CPU", ours[turn]["cpu_s"] * 1e3,
                      theirs[turn]["cpu_s"] * 1e3, "ratio ≥ 50" if largest else "", unit="ms")
            table.add(f"append of 2 to {arrays} x {mib}, {turn}, wall", ours[turn]["wall_s"] * 1e3,
                      theirs[turn]["wall_s"] * 1e3, "≤ 500 ms" if largest else "", unit="ms")
        table.add(f"append of 2 to {arrays} x {mib}, written", ours["cold"]["bytes_written"] / 1e3,
                  theirs["cold"]["bytes_written"] / 1e3, "≤ 1,000 kB" if largest else "", unit="kB")
        table.add(f"append of 2 to {arrays} x {mib}, manifest bytes per reference",
                  ours["cold"]["manifest_bytes_per_reference"], None,
                  "≤ 14 B" if arrays == 142 else "", unit="B")
        table.add(f"append of 2 to {arrays} x {mib}, most memory", ours["peak_mib"],
                  theirs["peak_mib"], "≤ 200 MB" if largest else "", unit="MiB")
        if arrays > 1:
            forced = sides.ours("icechunk_commit", "flush", arrays, filled, LEADS, "windows")
            for turn in ("cold", "warm"):
                table.add(f"whole windows, {arrays} x {mib}, {turn}, CPU",
                          forced[turn]["cpu_s"] * 1e3, theirs[turn]["cpu_s"] * 1e3,
                          "ratio ≥ 4" if largest else "", unit="ms")


def contend(sides, table):
    for mode in ("contiguous", "scattered"):
        alone = {}
        for latency in (0, 25):
            for writers in (1, 8, 32, 64):
                commits = 4 if writers <= 32 else 2
                ours = sides.ours("icechunk_contend", writers, commits, latency, mode)
                whole = ours["in_history"] == ours["commits_asked"] and not ours["missing_references"]
                if not whole:
                    sys.exit(f"a commit was lost: {ours}")
                alone.setdefault(latency, ours["commits_per_s"])
                theirs = None
                if latency == 0:
                    theirs = sides.official("contend", writers, commits, mode, "memory")
                label = f"{writers} writers, {mode}, {latency} ms a request"
                share = ours["commits_per_s"] / alone[latency]
                budget = ""
                if writers >= 32:
                    budget = "≥ 0.6 x one writer" if latency else "ratio ≥ 50"
                table.add(f"{label}: commits per s ({share:.2f} x one writer)",
                          ours["commits_per_s"], theirs and theirs["commits_per_s"], budget, "more")
                table.add(f"{label}: slowest / median", ours["slowest_s"] / ours["median_s"], None,
                          "≤ 10")
                table.add(f"{label}: lost races, p99", float(ours["rebases_p99"]) or None, None, "≤ 5")
    for writers in (32, 64):
        ours = sides.ours("icechunk_contend", writers, 4, 0, "contiguous", "light")
        theirs = sides.official("contend", writers, 4, "contiguous", "local", "light")
        label = f"{writers} processes, small commits to a local folder"
        table.add(f"{label}: commits per s", ours["commits_per_s"], theirs["commits_per_s"], "", "more")
        table.add(f"{label}: lost of {theirs['commits']} that it said had landed",
                  float(ours["commits"] - ours["in_history"]), float(theirs["lost"]), "0")


def queue(sides, table):
    """40 writers, one commit each, 100 ms a request; a serial run for the bytes."""
    serial = sides.ours("icechunk_contend", 40, 1, 0, "contiguous", "serial")
    for words in ((), ("apart",)):
        ours = sides.ours("icechunk_contend", 40, 1, 100, "contiguous", *words)
        label = "40 writers, 100 ms" + (", each on a machine of its own" if words else "")
        table.add(f"{label}: slowest / median", ours["slowest_s"] / ours["median_s"], None, "≤ 10")
        table.add(f"{label}: manifest bytes / serial",
                  ours["manifest_bytes"] / serial["manifest_bytes"], None, "≤ 1.5")
        table.add(f"{label}: most lost races", float(ours["rebases_max"]) or None, None)


def probe(sides, table):
    ours, theirs = sides.both("icechunk_read", "probe", "probe", 2000, LEADS)
    table.add("presence, batched, per CPU second", ours["batched_per_cpu_s"],
              theirs["batched_per_cpu_s"], "≥ 1 M", "more")
    table.add("presence, one by one, per CPU second", ours["single_per_cpu_s"],
              theirs["single_per_cpu_s"], "≥ 1 M", "more")
    table.add("keys listed per CPU second", ours["listed_per_cpu_s"], theirs["listed_per_cpu_s"],
              "≥ 1 M", "more")


def read(sides, table):
    ours, theirs = sides.both("icechunk_read", "chunks", "chunks", 2000, 65536)
    table.add("virtual chunk of 64 KiB", ours["read_median_us"], theirs["read_median_us"], "≤ 60 µs",
              unit="µs")
    table.add("open to first virtual chunk", ours["open_to_first_ms"], theirs["open_to_first_ms"],
              unit="ms")
    ours, theirs = sides.both("icechunk_read", "native", "native", 512)
    for field, label in (("write_commit_s", "written and committed, wall"),
                         ("write_cpu_s", "written and committed, CPU"),
                         ("read_s", "read, wall"), ("read_cpu_s", "read, CPU")):
        table.add(f"512 MiB of native chunks {label}", ours[field], theirs[field], unit="s")


def history(sides, table):
    ours, theirs = sides.both("icechunk_commit", "history", "history", 2000, repeat=1)
    table.add("commit of one reference at 2,000 snapshots, median", ours["last_100_median_ms"],
              theirs["last_100_median_ms"], "≤ 2 ms", unit="ms")
    table.add("commit of one reference at 2,000 snapshots, CPU", ours["last_100_cpu_ms"],
              theirs["last_100_cpu_ms"], unit="ms")
    table.add("repo object after them", ours["repo_bytes"] / 1e3, theirs["repo_bytes"] / 1e3, unit="kB")


def stream(sides, table):
    """72 million references in 300 arrays; the official reader looks up a thousand."""
    with tempfile.TemporaryDirectory(prefix="bench-") as folder:
        store = pathlib.Path(folder) / "repo"
        ours = sides.tell(run([sides.programs / "icechunk_stream", 72, 300, 8, store]))
        found = sides.official("resolve", store, 300, ours["inits"], 48)
    assert found["resolved"] == 1000 and ours["missing_of_1000"] == 0
    million = f"{ours['references'] / 1e6:.0f} M references, {ours['commits']} commits"
    table.add(f"{million}: references per s", ours["references_per_s"], None)
    table.add(f"{million}: CPU per reference", ours["cpu_us_per_reference"], None, unit="µs")
    table.add(f"{million}: bytes per reference", ours["bytes_per_reference"], None, unit="B")
    table.add(f"{million}: most memory", ours["peak_mib"], None, "≤ 4,096 MiB", unit="MiB")


SUBJECTS = [staging, flush, contend, queue, probe, read, history, stream]


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--programs", required=True)
    parser.add_argument("--only", default=",".join(subject.__name__ for subject in SUBJECTS))
    parser.add_argument("--repeat", type=int, default=3)
    arguments = parser.parse_args()
    sides, table = Sides(arguments.programs, arguments.repeat), Table()
    wanted = arguments.only.split(",")
    for subject in SUBJECTS:
        if subject.__name__ in wanted:
            subject(sides, table)
    table.print()


if __name__ == "__main__":
    main()
