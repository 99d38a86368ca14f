"""An Icechunk store as the official libraries see it: nothing here knows our own code."""

import asyncio
import hashlib
import json
import pathlib
from dataclasses import dataclass

import icechunk


@dataclass(frozen=True)
class Reference:
    """A virtual chunk: where its bytes lie, the container resolved."""

    location: str
    offset: int
    length: int

    def read(self) -> bytes:
        with open(self.location.removeprefix("file://"), "rb") as file:
            file.seek(self.offset)
            return file.read(self.length)


def open_repository(path: str) -> icechunk.Repository:
    """With the persisted configuration and authorisation of its containers, nothing else."""
    storage = icechunk.local_filesystem_storage(path)
    config = icechunk.Repository.fetch_config(storage)
    prefixes = list((config.virtual_chunk_containers or {}) if config else {})
    access = {prefix: icechunk.credentials.LocalFileSystemAccess for prefix in prefixes}
    return icechunk.Repository.open(storage, authorize_virtual_chunk_access=access)


def containers(repository: icechunk.Repository) -> dict[str, str]:
    """URL prefix of each persisted container, by its name."""
    registered = repository.config.virtual_chunk_containers or {}
    return {container.name: prefix for prefix, container in registered.items()}


def documents(session: icechunk.Session) -> dict[str, dict]:
    """zarr.json of every node, by its path ("" is the root)."""

    async def read() -> dict[str, dict]:
        from zarr.core.buffer import default_buffer_prototype

        found = {}
        async for key in session.store.list():
            if key == "zarr.json" or key.endswith("/zarr.json"):
                value = await session.store.get(key, default_buffer_prototype())
                found[key.removesuffix("zarr.json").strip("/")] = json.loads(value.to_bytes())
        return found

    return asyncio.run(read())


def references(session: icechunk.Session, prefixes: dict[str, str], path: str):
    """Every chunk that the array holds, by chunk index: a Reference, or None when native."""

    async def read() -> dict[tuple, Reference | None]:
        found = {}
        batches = session.store.array_chunk_iterator("/" + path)
        async for coords, kinds, locations, offsets, lengths, _ in batches:
            for row, kind in enumerate(kinds):
                index = tuple(int(axis) for axis in coords[row])
                if kind != 2:
                    found[index] = None
                    continue
                location = locations[row]
                if location.startswith("vcc://"):
                    name, _, key = location.removeprefix("vcc://").partition("/")
                    location = prefixes[name] + key
                found[index] = Reference(location, int(offsets[row]), int(lengths[row]))
        return found

    return asyncio.run(read())


def describe(path: str, branch: str = "main") -> dict:
    """All that a reader of a branch can tell: node documents and the chunks of every array.

    Native chunks are given by the hash of their bytes. Equal results mean equal stores, whatever the history.
    """
    repository = open_repository(path)
    session = repository.readonly_session(branch)
    prefixes = containers(repository)
    nodes = documents(session)

    async def native(key: str) -> str:
        from zarr.core.buffer import default_buffer_prototype

        value = await session.store.get(key, default_buffer_prototype())
        return hashlib.sha256(value.to_bytes()).hexdigest()

    chunks = {}
    for node, document in nodes.items():
        if document["node_type"] != "array":
            continue
        for index, reference in references(session, prefixes, node).items():
            key = "/".join([node, "c", *map(str, index)])
            if reference is None:
                chunks[key] = asyncio.run(native(key))
            else:
                chunks[key] = (reference.location, reference.offset, reference.length)
    return {"nodes": nodes, "chunks": chunks}


def store_exists(path: str) -> bool:
    return (pathlib.Path(path) / "repo").exists()
