"""This library and the official one take turns on one repository; a plain model says what must be there.

    python icechunk_turns.py DRIVER [--rounds N] [--steps N] [--seed S]

Each step, one of the two at random does something at random on one of the branches: commits chunks
(native, inline, virtual), deletions, new arrays and groups, arrays that grow or shrink, deleted
arrays and groups; amends; moves; rewrites or compacts manifests; makes and deletes branches and tags;
expires and collects; gives the container of virtual chunks another place. Sometimes both commit from
one base, where the second rebases. After every step both read everything, and with ICEFIELD_SHARED
set the conformance checker judges with --strict. A failure prints the seed.
"""

from __future__ import annotations

import argparse
import os
import pathlib
import random
import shutil
import sys
import tempfile

sys.path.insert(0, str(pathlib.Path(__file__).parent))
from icechunk_driver import GROUP, Driver, array_json  # noqa: E402
from icechunk_sides import CONTAINER, Official, Ours  # noqa: E402

SOURCE = bytes(i * 7 % 251 for i in range(4096))  # what every virtual chunk is a part of


class Model:
    """What one branch holds: keys and values, the shapes of the arrays, the groups."""

    serial = 0  # of values, over all models: no two are equal

    def __init__(self, keys: dict[str, bytes]):
        self.keys = keys
        self.shapes: dict[str, list[int]] = {}
        self.groups = ["g"]
        self.moved_last = False

    def copy(self) -> Model:
        other = Model(dict(self.keys))
        other.shapes = {path: list(shape) for path, shape in self.shapes.items()}
        other.groups = list(self.groups)
        other.moved_last = self.moved_last
        return other

    def below(self, path: str) -> list[str]:
        return [k for k in self.keys if k.startswith(path + "/")]


class Changes:
    """Random changes of one session of `side`, done to `model` as well."""

    def __init__(self, model: Model, side, roll: random.Random, avoid: set[str], whole: bool):
        self.model, self.side, self.roll, self.avoid = model, side, roll, avoid
        self.whole = whole  # groups may come and go
        self.touched: set[str] = set()
        self.resized: set[str] = set()
        self.created: set[str] = set()
        self.lasting = False  # something besides nodes that were created here

    def run(self) -> set[str]:
        for _ in range(self.roll.randint(1, 10)):
            paths = [p for p in self.model.shapes if p not in self.avoid]
            if not paths or self.roll.random() < 0.1:
                self.create()
                continue
            path = self.roll.choice(paths)
            self.touched.add(path)
            what = self.roll.random()
            if 0.12 <= what < 0.26:  # may come to nothing
                self.try_odd(path, what)
                continue
            if what < 0.04:
                self.delete(path)
            elif what < 0.12:
                self.resize(path)
            else:
                self.fill(path)
            self.lasting = self.lasting or path not in self.created
        if not self.lasting and not self.created & {*self.model.shapes, *self.model.groups}:
            self.create()  # else there would be nothing to commit
        return self.touched

    def try_odd(self, path: str, what: float) -> None:
        if what < 0.2:
            self.erase(path)
        elif what < 0.24 and self.whole:
            self.make_group()
        elif self.whole:
            self.drop_group()

    def put(self, key: str, value: bytes) -> None:
        self.side.set(key, value)
        self.model.keys[key] = value

    def create(self) -> None:
        path = f"{self.roll.choice(self.model.groups)}/a{self.roll.randint(0, 10**6)}"
        shape = [self.roll.randint(1, 12), self.roll.randint(1, 5)]
        self.model.shapes[path] = shape
        self.touched.add(path)
        self.created.add(path)
        self.resized.add(path)  # its first shape stays until the commit
        self.put(f"{path}/zarr.json", array_json(shape).encode())

    def delete(self, path: str) -> None:
        self.side.erase(f"{path}/zarr.json")
        del self.model.shapes[path]
        for key in self.model.below(path):
            del self.model.keys[key]

    def make_group(self) -> None:
        path = f"{self.roll.choice(self.model.groups)}/g{self.roll.randint(0, 10**6)}"
        self.model.groups.append(path)
        self.created.add(path)
        self.put(f"{path}/zarr.json", GROUP.encode())

    def drop_group(self) -> None:
        path = self.roll.choice(self.model.groups)
        if path == "g":
            return
        self.side.erase(f"{path}/zarr.json")
        for key in self.model.below(path):
            del self.model.keys[key]
        inside = path + "/"
        self.model.groups = [g for g in self.model.groups if g != path and not g.startswith(inside)]
        self.model.shapes = {p: s for p, s in self.model.shapes.items() if not p.startswith(inside)}

    def resize(self, path: str) -> None:
        if path in self.resized:  # chunks that a smaller shape hid would come back
            return self.fill(path)
        self.resized.add(path)
        shape = self.model.shapes[path]
        shape[0] = max(1, shape[0] + self.roll.randint(-4, 4))
        Model.serial += 1
        self.put(f"{path}/zarr.json", array_json(shape, attributes={"n": Model.serial}).encode())
        for key in self.model.below(path + "/c"):
            if int(key.split("/")[-2]) >= shape[0]:
                del self.model.keys[key]

    def erase(self, path: str) -> None:
        present = self.model.below(path + "/c")
        if present:
            key = self.roll.choice(present)
            self.side.erase(key)
            del self.model.keys[key]

    def fill(self, path: str) -> None:
        shape = self.model.shapes[path]
        i, j = (self.roll.randrange(n) for n in shape)
        virtual = self.roll.random() < 0.3
        for row in range(i, min(i + self.roll.randint(1, 3), shape[0])):
            for column in range(j, min(j + self.roll.randint(1, 3), shape[1])):
                key = f"{path}/c/{row}/{column}"
                if virtual:
                    at = self.roll.randrange(len(SOURCE) - 4)
                    self.side.refer(path, (row, column), f"f{self.roll.randrange(3)}.bin", at, 4)
                    self.model.keys[key] = SOURCE[at : at + 4]
                else:
                    Model.serial += 1
                    self.put(key, Model.serial.to_bytes(4, "little"))


class Round:
    def __init__(self, program: str, seed: int, folder: pathlib.Path):
        self.roll = random.Random(seed)
        random.seed(seed)
        self.path = folder / f"round-{seed}"
        self.places = [folder / f"sources-{seed}-{name}" for name in ("here", "there")]
        for place in self.places:
            place.mkdir()
            for number in range(3):
                (place / f"f{number}.bin").write_bytes(SOURCE)
        self.create(program)
        keys = {"zarr.json": GROUP.encode(), "g/zarr.json": GROUP.encode()}
        self.branches = {"main": Model(keys)}
        self.tags: set[str] = set()
        self.sides = [Ours(program, self.path, self.places), Official(self.path, self.places)]
        self.done: dict[str, int] = {}

    def create(self, program: str) -> None:
        starter = Driver(program)
        split = [["any_array", [{"condition": {"Axis": 0}, "num_chunks": self.roll.randint(1, 6)}]]]
        prefix = f"file://{self.places[0]}/"
        container = {"name": CONTAINER, "url_prefix": prefix,
                     "store": {"local_file_system": str(self.places[0])}}
        config = {
            "manifest": {"splitting": {"split_sizes": split}},
            "inline_chunk_threshold_bytes": self.roll.choice([3, 512]),  # all native, or all inline
            "num_updates_per_repo_info_file": self.roll.choice([4, 1000]),
            "virtual_chunk_containers": {prefix: container},
        }
        starter("create", path=str(self.path), config=config)
        starter("begin", session="s", branch="main")
        for key in ("zarr.json", "g/zarr.json"):
            starter("set", session="s", key=key, text=GROUP)
        starter("commit", session="s", message="groups")
        starter.close()

    # each of these is one step

    def change(self, side, branch: str, amend: bool = False) -> None:
        model = self.branches[branch]
        side.begin(branch)
        Changes(model, side, self.roll, set(), whole=True).run()
        assert side.commit("changed", amend)
        model.moved_last = False

    def amend(self, side, branch: str) -> None:
        self.change(side, branch, amend=not self.branches[branch].moved_last)

    def both(self, side, branch: str) -> None:
        """Both from one base, on different arrays: the second must rebase and land."""
        other = next(s for s in self.sides if s is not side)
        before = self.branches[branch]
        after, second = before.copy(), before.copy()
        side.begin(branch)
        other.begin(branch)
        touched = Changes(after, side, self.roll, set(), whole=False).run()
        if not set(before.shapes) - touched:
            assert side.commit("first")
            self.branches[branch] = after
            return
        Changes(second, other, self.roll, touched, whole=False).run()
        assert side.commit("first")
        assert other.commit("second")
        for key in before.keys.keys() - second.keys.keys():
            after.keys.pop(key, None)
        after.keys |= {k: v for k, v in second.keys.items() if before.keys.get(k) != v}
        for path in before.shapes.keys() - second.shapes.keys():
            after.shapes.pop(path, None)
        after.shapes |= {p: s for p, s in second.shapes.items() if before.shapes.get(p) != s}
        after.moved_last = False
        self.branches[branch] = after

    def move(self, side, branch: str) -> None:
        model = self.branches[branch]
        movable = list(model.shapes) + [g for g in model.groups if g != "g"]
        if not movable:
            return
        one = self.roll.choice(movable)
        parents = [g for g in model.groups if g != one and not g.startswith(one + "/")]
        other = f"{self.roll.choice(parents)}/m{self.roll.randint(0, 10**6)}"
        side.move(branch, one, other)
        assert side.commit("moved")

        def renamed(path: str) -> str:
            inside = path == one or path.startswith(one + "/")
            return other + path.removeprefix(one) if inside else path

        model.shapes = {renamed(p): s for p, s in model.shapes.items()}
        model.groups = [renamed(g) for g in model.groups]
        model.keys = {renamed(k): v for k, v in model.keys.items()}
        model.moved_last = True

    def rewrite(self, side, branch: str) -> None:
        before = self.branches[branch]
        side.rewrite(branch)
        before.moved_last = False

    def name(self, side, branch: str) -> None:
        """A branch or a tag comes, or goes."""
        name = f"n{self.roll.randint(0, 10**6)}"
        what = self.roll.random()
        others = [b for b in self.branches if b != "main"]
        if what < 0.4 and len(others) < 3:
            side.ref("create_branch", name, branch)
            self.branches[name] = self.branches[branch].copy()
        elif what < 0.6 and others:
            gone = self.roll.choice(others)
            side.ref("delete_branch", gone)
            del self.branches[gone]
        elif what < 0.85 or not self.tags:
            side.ref("create_tag", name, branch)
            self.tags.add(name)
        else:
            gone = self.roll.choice(sorted(self.tags))
            side.ref("delete_tag", gone)
            self.tags.discard(gone)

    def clean(self, side, _branch: str) -> None:
        side.expire()
        if self.roll.random() < 0.7:
            self.roll.choice(self.sides).collect()

    def repoint(self, side, _branch: str) -> None:
        side.repoint(self.roll.choice(self.places))
        for one in self.sides:
            one.reopen()

    STEPS = {change: 40, both: 22, amend: 8, move: 8, rewrite: 6, name: 8, clean: 4, repoint: 4}

    def step(self) -> None:
        branch = self.roll.choice(sorted(self.branches))
        what = self.roll.choices(list(self.STEPS), weights=list(self.STEPS.values()))[0]
        self.done[what.__name__] = self.done.get(what.__name__, 0) + 1
        what(self, self.roll.choice(self.sides), branch)

    def compare(self) -> None:
        for branch, model in self.branches.items():
            for side in self.sides:
                seen = side.everything(branch)
                surplus = sorted(seen.keys() ^ model.keys.keys())
                assert not surplus, (type(side).__name__, branch, surplus[:10])
                differing = [k for k in seen if seen[k] != model.keys[k]]
                assert not differing, (type(side).__name__, branch, differing[:10])

    def judge(self) -> None:
        if shared := os.environ.get("ICEFIELD_SHARED"):
            sys.path.insert(0, str(pathlib.Path(shared) / "conformance"))
            import icechunk_check

            icechunk_check.run(self.path, mutate=False, strict=True, quiet=True)

    def close(self) -> None:
        for side in self.sides:
            side.close()
        for place in [self.path, *self.places]:
            shutil.rmtree(place)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("driver")
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--steps", type=int, default=40)
    parser.add_argument("--seed", type=int)
    arguments = parser.parse_args()
    folder = pathlib.Path(tempfile.mkdtemp(prefix="icechunk-turns-"))
    for _ in range(arguments.rounds):
        seed = arguments.seed if arguments.seed is not None else random.SystemRandom().getrandbits(32)
        at = -1
        try:
            one = Round(arguments.driver, seed, folder)
            for at in range(arguments.steps):
                one.step()
                one.compare()
                one.judge()
            one.close()
        except BaseException:
            print(f"FAILED in step {at} with --seed {seed}; the repository is in {folder}", flush=True)
            raise
        print(f"seed {seed}: {arguments.steps} steps, {dict(sorted(one.done.items()))}", flush=True)
    shutil.rmtree(folder)
    return 0


if __name__ == "__main__":
    sys.exit(main())
