"""Kills a backfill with SIGKILL and runs it again: the end must equal an uninterrupted run.

    kill_backfill.py --icefield EXE --sample SAMPLE_JSON [--dataset ID] [--writes N] [--moments N]
                     [--seconds N] [--seed N] [--checker ICECHUNK_CHECK_PY]

--sample     what `icefield sample-source --json` printed: sources, append_dim_end and inits
--writes     kill before and after at most N of the run's changes of a directory entry (default: all)
--moments    kill at N random moments (default 10)
--seconds    stop trying after this many seconds, and say how many kills were made (default 600)
--checker    a checker of Icechunk repositories; every 10th surviving state must pass it

After each kill: without `repo` the place counts as no store; with it, the official library opens
the store and `main` shows the state before or after the whole backfill. Then the same command must
end with status 0 and leave what an uninterrupted run leaves. The same again for a second backfill
that overwrites chosen positions of the finished store.
"""

import argparse
import json
import os
import pathlib
import random
import shutil
import subprocess
import sys
import tempfile
import time

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "interop"))

import official  # noqa: E402
from report import Report  # noqa: E402

HERE = pathlib.Path(__file__).resolve().parent
EMPTY = {"nodes": {}, "chunks": {}}


class Walk:
    """One backfill command on one starting state, killed again and again."""

    def __init__(self, options, report: Report, scratch: pathlib.Path, name: str, extra: list[str],
                 start: pathlib.Path | None):
        self.options, self.report, self.name, self.start = options, report, name, start
        self.place = scratch / name
        self.kills = 0
        sample = json.loads(pathlib.Path(options.sample).read_text())
        self.command = [options.icefield, options.dataset, "backfill-local",
                        sample["append_dim_end"], "--json", *extra]
        for source in sample["sources"]:
            self.command += ["--source", source]
        self.preload = {"LD_PRELOAD": str(scratch / "kill_at_write.so")}

        self.reset()
        self.before = official.describe(str(self.store)) if start else EMPTY
        count_file = scratch / "count"
        began = time.monotonic()
        done = self.run({**self.preload, "COUNT_FILE": str(count_file)})
        self.seconds = time.monotonic() - began
        report.check(done.returncode == 0, f"{name}: uninterrupted: {done.stderr[-2000:]}")
        self.after = official.describe(str(self.store))
        self.writes = int(count_file.read_text())
        print(f"{name}: an uninterrupted run takes {self.seconds:.2f} s and {self.writes} writes")

    @property
    def store(self) -> pathlib.Path:
        """The one store below the working directory; its name holds the dataset's version."""
        found = list(self.place.glob("data/output/*/*.icechunk"))
        return found[0] if found else self.place / "data/output/none"

    def reset(self) -> None:
        shutil.rmtree(self.place, ignore_errors=True)
        if self.start:
            shutil.copytree(self.start, self.place, copy_function=shutil.copy2)
        else:
            self.place.mkdir(parents=True)

    def run(self, environment: dict, seconds: float | None = None) -> subprocess.CompletedProcess:
        """The command in its own folder; killed after `seconds`."""
        process = subprocess.Popen(
            self.command, cwd=self.place, env={**os.environ, **environment}, text=True,
            stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        try:
            out, err = process.communicate(timeout=seconds)
        except subprocess.TimeoutExpired:
            process.kill()
            out, err = process.communicate()
        return subprocess.CompletedProcess(self.command, process.returncode, out, err)

    def kill_and_rerun(self, what: str, environment: dict, seconds: float | None = None) -> None:
        what = f"{self.name}: {what}"
        self.reset()
        killed = self.run(environment, seconds)
        if killed.returncode == 0:
            return
        self.kills += 1
        self.report.check(killed.returncode == -9, f"{what}: status {killed.returncode} before the"
                          f" kill: {killed.stderr[-500:]}")
        if official.store_exists(str(self.store)):
            seen = official.describe(str(self.store))
            self.report.check(seen in (self.before, self.after), f"{what}: main is neither the state"
                              " before nor after")
            if self.kills % 10 == 0:
                self.check_bytes(what)
        again = self.run({})
        finished = again.returncode == 0
        if not finished and official.store_exists(str(self.store)):
            # Killed after publishing: there is nothing left to resume, and the command says so.
            finished = official.describe(str(self.store)) == self.after
        self.report.check(finished, f"{what}: rerun: status {again.returncode}:"
                          f" {again.stderr[-1000:]}")
        if finished:
            self.report.check(official.describe(str(self.store)) == self.after,
                              f"{what}: the rerun left another state than an uninterrupted run")
        if self.kills % 10 == 0:
            self.check_bytes(f"{what}, rerun")

    def check_bytes(self, what: str) -> None:
        if not self.options.checker:
            return
        checked = subprocess.run(
            [sys.executable, self.options.checker, str(self.store), "--strict", "--no-mutate"],
            capture_output=True, text=True, check=False)
        self.report.check(checked.returncode == 0, f"{what}: checker: {checked.stdout[-800:]}"
                          f"{checked.stderr[-300:]}")

    def walk(self, deadline: float, chance: random.Random) -> None:
        moments = [(kind, at) for at in range(1, self.writes + 1)
                   for kind in ("KILL_AT", "KILL_AFTER")]
        if self.options.writes is not None and len(moments) > 2 * self.options.writes:
            moments = sorted(chance.sample(moments, 2 * self.options.writes), key=lambda m: m[1])
        for _ in range(self.options.moments):
            if time.monotonic() > deadline:
                break
            moment = chance.uniform(0.0, self.seconds)
            self.kill_and_rerun(f"kill -9 after {moment:.3f} s", {}, moment)
        for kind, at in moments:
            if time.monotonic() > deadline:
                break
            self.kill_and_rerun(f"{kind}={at} of {self.writes}", {**self.preload, kind: str(at)})
        print(f"{self.name}: {self.kills} kills", flush=True)
        self.report.check(self.kills > 0, f"{self.name}: nothing was killed")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--icefield", required=True)
    parser.add_argument("--sample", required=True)
    parser.add_argument("--dataset", default="noaa-hrrr-forecast-48-hour-virtual")
    parser.add_argument("--writes", type=int)
    parser.add_argument("--moments", type=int, default=10)
    parser.add_argument("--seconds", type=float, default=600)
    parser.add_argument("--seed", type=int, default=int(time.time()))
    parser.add_argument("--checker")
    options = parser.parse_args()
    options.icefield = str(pathlib.Path(options.icefield).resolve())
    print(f"seed {options.seed}")

    report = Report()
    chance = random.Random(options.seed)
    began = time.monotonic()
    with tempfile.TemporaryDirectory(prefix="icefield-kill-") as folder:
        scratch = pathlib.Path(folder)
        subprocess.run(["cc", "-shared", "-fPIC", "-O1", "-o", scratch / "kill_at_write.so",
                        HERE / "kill_at_write.c", "-ldl"], check=True)
        inits = json.loads(pathlib.Path(options.sample).read_text())["inits"]
        first = Walk(options, report, scratch, "create", ["--filter-start", inits[0]], None)
        finished = scratch / "finished"
        shutil.copytree(first.place, finished, copy_function=shutil.copy2)
        first.walk(began + 0.6 * options.seconds, chance)

        second = Walk(options, report, scratch, "overwrite",
                      ["--overwrite-chunks", "--filter-contains", inits[-1]], finished)
        report.check(second.after == second.before,
                     "overwriting positions with the same sources changed the store")
        second.walk(began + options.seconds, chance)
    report.close()


if __name__ == "__main__":
    main()
