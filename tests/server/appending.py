"""A process to be killed: appends to logs without end and tells each acknowledgement.

For each address on its standard input it makes a child that does the work, so that the next one
starts at once; the child is the one to be killed.
"""

from __future__ import annotations

import asyncio
import os
import sys

from sqlalchemy import Connection, select

from pleasance.server.base.errors import OvertakenError
from pleasance.server.store.schema.rooms import tables
from pleasance.server.store.store import Append, LogLine, Store


def say(line: str) -> None:
    """Say something in one piece, so that nothing of it is lost when we are killed."""
    os.write(1, f"{line}\n".encode())


def read_counts(connection: Connection) -> dict[str, int]:
    """Count the lines of all logs."""
    return {row.id: row.lines for row in connection.execute(select(tables.c.id, tables.c.lines))}


async def append_without_end(store: Store) -> None:
    """Play at all tables at once."""

    async def play(table: str, known: int) -> None:
        while True:
            lines = tuple(
                LogLine(f"{os.getpid()} {known + n}") for n in range(1, 1 + known % 3 + 1)
            )
            try:
                await store.append(Append(table, known, lines, {"changed_at": float(known)}))
            except OvertakenError:  # what a process before us began, the database has finished
                known = (await store.read(read_counts))[table]
                continue
            known += len(lines)
            for line in lines:
                say(f"{table} {line.body}")

    counts = await store.read(read_counts)
    await asyncio.gather(*(play(table, known) for table, known in counts.items()))


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
