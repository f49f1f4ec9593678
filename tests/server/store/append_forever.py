"""A process to be killed: appends to logs without end and prints each acknowledgment.

For each address on its standard input it makes a child that does the work, so that the next one
starts at once; the child is the one to be killed.
"""

from __future__ import annotations

import asyncio
import os
import sys

from sqlalchemy import Connection, select

from pleasance.server.base.errors import AppendConflictError
from pleasance.server.store.appends import Append, NewEntry
from pleasance.server.store.schema.rooms import tables
from pleasance.server.store.store import Store


def say(line: str) -> None:
    """Print a line in one write, so that a kill does not cut it."""
    os.write(1, f"{line}\n".encode())


def read_counts(connection: Connection) -> dict[str, int]:
    """Count the lines of all logs."""
    return {row.id: row.seq for row in connection.execute(select(tables.c.id, tables.c.seq))}


async def append_without_end(store: Store) -> None:
    """Play at all tables at once."""

    async def play(table: str, seq: int) -> None:
        while True:
            lines = tuple(NewEntry(f"{os.getpid()} {seq + n}") for n in range(1, 1 + seq % 3 + 1))
            try:
                await store.append(Append(table, seq, lines, {"changed_at": float(seq)}))
            except AppendConflictError:  # what a process before us began, the database has finished
                seq = (await store.read(read_counts))[table]
                continue
            seq += len(lines)
            for line in lines:
                say(f"{table} {line.body}")

    counts = await store.read(read_counts)
    await asyncio.gather(*(play(table, seq) for table, seq in counts.items()))


def main() -> None:
    """Make one child after the other."""
    for url in sys.stdin:
        child = os.fork()
        if not child:
            asyncio.run(append_without_end(Store.open(url.strip())))
        say(f"child {child}")
        os.waitpid(child, 0)
        say("gone")


if __name__ == "__main__":
    main()
