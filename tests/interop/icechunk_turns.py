"""This library and the official one take turns on one repository; a plain model says what must be there.

    python icechunk_turns.py DRIVER [--rounds N] [--steps N] [--seed S]

Each step, one of the two at random commits random changes: chunks, deletions, new arrays, resizes,
deleted nodes, moves, rewritten manifests; sometimes both from one base, where the second rebases.
After every step both read everything. A failure prints the seed. With ICEFIELD_SHARED set, the
conformance checker judges the end of each round.
"""

from __future__ import annotations

import argparse
import asyncio
import os
import pathlib
import random
import shutil
import subprocess
import sys
import tempfile

import icechunk
from zarr.core.buffer import default_buffer_prototype

sys.path.insert(0, str(pathlib.Path(__file__).parent))
from icechunk_driver import CONFLICT, GROUP, Driver, DriverError, array_json  # noqa: E402


class Ours:
    def __init__(self, program: str, path: pathlib.Path):
        self.driver = Driver(program)
        self.driver("open", path=str(path))

    def begin(self) -> None:
        self.driver("begin", session="s", branch="main")

    def set(self, key: str, value: bytes) -> None:
        self.driver("set", session="s", key=key, hex=value.hex())

    def erase(self, key: str) -> None:
        self.driver("erase", session="s", key=key)

    def move(self, one: str, other: str) -> None:
        self.driver("move", session="s", **{"from": one, "to": other})

    def commit(self, message: str) -> bool:
        try:
            layout = random.choice(["append", "append", "windows"])
            self.driver("commit", session="s", message=message, layout=layout)
        except DriverError as error:
            if error.code != CONFLICT:
                raise
            return False
        return True

    def rewrite(self) -> None:
        self.driver("compact", branch="main")

    def everything(self) -> dict[str, bytes]:
        self.driver("view", session="r", branch="main")
        keys = self.driver("list", session="r")
        return {k: bytes.fromhex(self.driver("get", session="r", key=k)) for k in keys}

    def close(self) -> None:
        self.driver.close()


class Official:
    def __init__(self, path: pathlib.Path):
        self.repository = icechunk.Repository.open(icechunk.local_filesystem_storage(str(path)))

    def begin(self) -> None:
        self.session = self.repository.writable_session("main")
        self.moving = False

    def set(self, key: str, value: bytes) -> None:
        buffer = default_buffer_prototype().buffer.from_bytes(value)
        asyncio.run(self.session.store.set(key, buffer))

    def erase(self, key: str) -> None:
        if key.endswith("/zarr.json"):
            asyncio.run(self.session.store.delete_dir(key.removesuffix("/zarr.json")))
        else:
            asyncio.run(self.session.store.delete(key))

    def move(self, one: str, other: str) -> None:
        self.session = self.repository.rearrange_session("main")
        self.session.move(one, other)

    def commit(self, message: str) -> bool:
        try:
            self.session.commit(message, rebase_with=icechunk.ConflictDetector(), rebase_tries=10)
        except (icechunk.RebaseFailedError, icechunk.ConflictError):
            return False
        return True

    def rewrite(self) -> None:
        self.repository.rewrite_manifests("rewritten", branch="main")

    def everything(self) -> dict[str, bytes]:
        store = self.repository.readonly_session("main").store

        async def read():
            keys = [key async for key in store.list()]
            prototype = default_buffer_prototype()
            return {key: (await store.get(key, prototype)).to_bytes() for key in keys}

        return asyncio.run(read())

    def close(self) -> None:
        pass


class Model:
    """Keys and values, and the shapes of the arrays."""

    def __init__(self):
        self.keys: dict[str, bytes] = {}
        self.shapes: dict[str, list[int]] = {}
        self.serial = 0

    def copy(self) -> Model:
        other = Model()
        other.keys, other.serial = dict(self.keys), self.serial
        other.shapes = {path: list(shape) for path, shape in self.shapes.items()}
        return other

    def value(self) -> bytes:
        self.serial += 1
        return self.serial.to_bytes(4, "little")

    def change(self, side, roll: random.Random, avoid: set[str]) -> set[str]:
        """Random changes through `side`; gives the arrays that were touched."""
        touched: set[str] = set()
        for _ in range(roll.randint(1, 10)):
            paths = [p for p in self.shapes if p not in avoid]
            if not paths or roll.random() < 0.1:
                self.create(side, roll, touched)
                continue
            path = roll.choice(paths)
            touched.add(path)
            what = roll.random()
            if what < 0.04:
                self.delete(side, path)
            elif what < 0.1:
                self.resize(side, path, roll)
            elif what < 0.2:
                self.erase(side, path, roll)
            else:
                self.fill(side, path, roll)
        return touched

    def put(self, side, key: str, value: bytes) -> None:
        side.set(key, value)
        self.keys[key] = value

    def create(self, side, roll: random.Random, touched: set[str]) -> None:
        path = f"g/a{roll.randint(0, 10**6)}"
        shape = [roll.randint(1, 12), roll.randint(1, 5)]
        self.shapes[path] = shape
        touched.add(path)
        self.put(side, f"{path}/zarr.json", array_json(shape).encode())

    def delete(self, side, path: str) -> None:
        side.erase(f"{path}/zarr.json")
        del self.shapes[path]
        self.keys = {k: v for k, v in self.keys.items() if not k.startswith(path + "/")}

    def resize(self, side, path: str, roll: random.Random) -> None:
        shape = self.shapes[path]
        shape[0] += roll.randint(1, 4)
        self.serial += 1
        document = array_json(shape, attributes={"n": self.serial})
        self.put(side, f"{path}/zarr.json", document.encode())

    def erase(self, side, path: str, roll: random.Random) -> None:
        present = [k for k in self.keys if k.startswith(f"{path}/c/")]
        if present:
            key = roll.choice(present)
            side.erase(key)
            del self.keys[key]

    def fill(self, side, path: str, roll: random.Random) -> None:
        i, j = (roll.randrange(n) for n in self.shapes[path])
        for row in range(i, min(i + roll.randint(1, 3), self.shapes[path][0])):
            for column in range(j, min(j + roll.randint(1, 3), self.shapes[path][1])):
                self.put(side, f"{path}/c/{row}/{column}", self.value())

    def rename(self, side, roll: random.Random) -> None:
        path = roll.choice(list(self.shapes))
        other = f"g/m{roll.randint(0, 10**6)}"
        side.move("/" + path, "/" + other)
        self.shapes[other] = self.shapes.pop(path)
        self.keys = {
            (other + k.removeprefix(path) if k.startswith(path + "/") else k): v
            for k, v in self.keys.items()
        }


def step(number: int, model: Model, sides, roll: random.Random) -> Model:
    one, two = roll.sample(sides, 2)
    after = model.copy()
    one.begin()
    what = roll.random()
    if what < 0.08 and after.shapes:
        after.rename(one, roll)
        assert one.commit(f"{number} moved")
    elif what < 0.16 and model.keys:
        one.rewrite()
    elif what < 0.5:
        # both from one base, on different arrays: the second must rebase and land
        two.begin()
        touched = after.change(one, roll, set())
        assert one.commit(f"{number} first")
        serial = after.serial
        untouched = model.copy()
        untouched.serial = serial
        if not [p for p in untouched.shapes if p not in touched]:
            return after
        before = untouched.copy()
        untouched.change(two, roll, touched)
        assert two.commit(f"{number} second")
        after.serial = untouched.serial
        for key in before.keys.keys() - untouched.keys.keys():
            after.keys.pop(key, None)
        after.keys |= {k: v for k, v in untouched.keys.items() if before.keys.get(k) != v}
        for path in before.shapes.keys() - untouched.shapes.keys():
            after.shapes.pop(path, None)
        after.shapes |= {p: s for p, s in untouched.shapes.items() if before.shapes.get(p) != s}
    else:
        after.change(one, roll, set())
        assert one.commit(f"{number}")
    return after


def run_round(program: str, seed: int, steps: int, folder: pathlib.Path) -> None:
    roll = random.Random(seed)
    random.seed(seed)
    path = folder / f"round-{seed}"
    starter = Driver(program)
    split = [["any_array", [{"condition": {"Axis": 0}, "num_chunks": roll.randint(1, 6)}]]]
    config = {
        "manifest": {"splitting": {"split_sizes": split}},
        "inline_chunk_threshold_bytes": roll.choice([3, 512]),  # all chunks native, or all inline
    }
    starter("create", path=str(path), config=config)
    starter("begin", session="s", branch="main")
    for key in ("zarr.json", "g/zarr.json"):
        starter("set", session="s", key=key, text=GROUP)
    starter("commit", session="s", message="groups")
    starter.close()
    model = Model()
    model.keys = {"zarr.json": GROUP.encode(), "g/zarr.json": GROUP.encode()}
    sides = [Ours(program, path), Official(path)]
    for number in range(steps):
        model = step(number, model, sides, roll)
        for side in sides:
            seen = side.everything()
            assert seen.keys() == model.keys.keys(), (
                type(side).__name__,
                sorted(seen.keys() ^ model.keys.keys())[:10],
            )
            differing = [k for k in seen if seen[k] != model.keys[k]]
            assert not differing, (type(side).__name__, differing[:10])
    for side in sides:
        side.close()
    if shared := os.environ.get("ICEFIELD_SHARED"):
        check = pathlib.Path(shared) / "conformance/icechunk_check.py"
        subprocess.run([sys.executable, str(check), str(path), "--no-mutate"], check=True,
                       stdout=subprocess.DEVNULL)
    shutil.rmtree(path)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("driver")
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--steps", type=int, default=25)
    parser.add_argument("--seed", type=int)
    arguments = parser.parse_args()
    folder = pathlib.Path(tempfile.mkdtemp(prefix="icechunk-turns-"))
    for _ in range(arguments.rounds):
        seed = arguments.seed if arguments.seed is not None else random.SystemRandom().getrandbits(32)
        try:
            run_round(arguments.driver, seed, arguments.steps, folder)
        except BaseException:
            print(f"FAILED with --seed {seed}; the repository is in {folder}", flush=True)
            raise
        print(f"seed {seed}: {arguments.steps} steps", flush=True)
    shutil.rmtree(folder)
    return 0


if __name__ == "__main__":
    sys.exit(main())
