"""The two libraries behind one interface: what icechunk_turns.py lets take turns."""

from __future__ import annotations

import asyncio
import datetime
import pathlib
import random

import icechunk
from icechunk_driver import CONFLICT, Driver, DriverError
from zarr.core.buffer import default_buffer_prototype

CONTAINER = "src"


class Ours:
    def __init__(self, program: str, path: pathlib.Path, places: list[pathlib.Path]):
        self.path, self.places = path, places
        self.driver = Driver(program)
        self.reopen()

    def reopen(self) -> None:
        access = [f"file://{place}/" for place in self.places]
        self.driver("open", path=str(self.path), access=access)

    def begin(self, branch: str) -> None:
        self.driver("begin", session="s", branch=branch)

    def set(self, key: str, value: bytes) -> None:
        self.driver("set", session="s", key=key, hex=value.hex())

    def refer(self, path: str, index, file: str, offset: int, length: int) -> None:
        location = f"vcc://{CONTAINER}/{file}"
        reference = {"index": list(index), "location": location, "offset": offset, "length": length}
        self.driver("refer", session="s", path="/" + path, refs=[reference])

    def erase(self, key: str) -> None:
        self.driver("erase", session="s", key=key)

    def move(self, branch: str, one: str, other: str) -> None:
        self.begin(branch)
        self.driver("move", session="s", **{"from": "/" + one, "to": "/" + other})

    def commit(self, message: str, amend: bool = False) -> bool:
        try:
            layout = random.choice(["append", "append", "windows"])
            op = "amend" if amend else "commit"
            self.driver(op, session="s", message=message, layout=layout)
        except DriverError as error:
            if error.code != CONFLICT:
                raise
            return False
        return True

    def rewrite(self, branch: str) -> None:
        self.driver("compact", branch=branch)

    def ref(self, what: str, name: str, at: str = "") -> None:
        self.driver("refs", do=what, name=name, at=at)

    def expire(self) -> None:
        self.driver("clean", what="expire")

    def collect(self) -> None:
        self.driver("clean", what="collect")

    def repoint(self, place: pathlib.Path) -> None:
        self.driver("repoint", name=CONTAINER, url=str(place))

    def everything(self, branch: str) -> dict[str, bytes]:
        self.driver("view", session="r", branch=branch)
        keys = self.driver("list", session="r")
        return {k: bytes.fromhex(self.driver("get", session="r", key=k)) for k in keys}

    def close(self) -> None:
        self.driver.close()


class Official:
    def __init__(self, path: pathlib.Path, places: list[pathlib.Path]):
        self.storage = icechunk.local_filesystem_storage(str(path))
        self.access = {f"file://{place}/": icechunk.credentials.LocalFileSystemAccess
                       for place in places}
        self.reopen()

    def reopen(self) -> None:
        config = icechunk.Repository.fetch_config(self.storage)
        known = set((config.virtual_chunk_containers if config else None) or {})
        self.repository = icechunk.Repository.open(
            self.storage,
            authorize_virtual_chunk_access={k: v for k, v in self.access.items() if k in known})

    def begin(self, branch: str) -> None:
        self.session = self.repository.writable_session(branch)

    def set(self, key: str, value: bytes) -> None:
        buffer = default_buffer_prototype().buffer.from_bytes(value)
        asyncio.run(self.session.store.set(key, buffer))

    def refer(self, path: str, index, file: str, offset: int, length: int) -> None:
        key = "/".join([path, "c", *map(str, index)])
        self.session.store.set_virtual_ref(
            key, f"vcc://{CONTAINER}/{file}", offset=offset, length=length)

    def erase(self, key: str) -> None:
        if key.endswith("/zarr.json"):
            asyncio.run(self.session.store.delete_dir(key.removesuffix("/zarr.json")))
        else:
            asyncio.run(self.session.store.delete(key))

    def move(self, branch: str, one: str, other: str) -> None:
        self.session = self.repository.rearrange_session(branch)
        self.session.move("/" + one, "/" + other)

    def commit(self, message: str, amend: bool = False) -> bool:
        try:
            if amend:
                self.session.amend(message)
            else:
                self.session.commit(
                    message, rebase_with=icechunk.ConflictDetector(), rebase_tries=10)
        except (icechunk.RebaseFailedError, icechunk.ConflictError):
            return False
        return True

    def rewrite(self, branch: str) -> None:
        self.repository.rewrite_manifests("rewritten", branch=branch)

    def ref(self, what: str, name: str, at: str = "") -> None:
        if what.startswith("create"):
            getattr(self.repository, what)(name, self.repository.lookup_branch(at))
        else:
            getattr(self.repository, what)(name)

    def expire(self) -> None:
        self.repository.expire_snapshots(datetime.datetime.now(datetime.timezone.utc))

    def collect(self) -> None:
        self.repository.garbage_collect(datetime.datetime.now(datetime.timezone.utc))

    def repoint(self, place: pathlib.Path) -> None:
        config = icechunk.Repository.fetch_config(self.storage)
        store = icechunk.local_filesystem_store(str(place))
        config.set_virtual_chunk_container(
            icechunk.VirtualChunkContainer(f"file://{place}/", store, name=CONTAINER))
        icechunk.Repository.open(self.storage, config=config).save_config()

    def everything(self, branch: str) -> dict[str, bytes]:
        store = self.repository.readonly_session(branch).store

        async def read():
            keys = [key async for key in store.list()]
            prototype = default_buffer_prototype()
            return {key: (await store.get(key, prototype)).to_bytes() for key in keys}

        return asyncio.run(read())

    def close(self) -> None:
        pass
