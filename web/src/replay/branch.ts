// Playing on from a moment of another game: a table of one's own that begins there, with bots.

import { ask, newKey, newNonce } from "$app/lib/api";
import { me } from "$app/lib/me.svelte";
import type { RecordReel } from "$app/lib/reel";
import type { Brought } from "$app/replay/replay.svelte";
import type { Command, TableInfo } from "$app/wire";

export interface Branch {
  /** After how many steps to play on. */
  readonly steps: number;
  readonly seat: number;
  readonly bot: string;
}

/** Open the table and begin; gives its name, or `null` to who thought better of coming in. */
export async function openBranch(reel: RecordReel, brought: Brought, branch: Branch): Promise<string | null> {
  if (!(await me.introduce())) return null;
  const { game, seats, options } = reel;
  const { id } = await ask<TableInfo>("POST", "/api/tables", {
    game, seats, options, data: brought.data,
    ...(branch.steps > 0 ? { opening: { record: brought.text, steps: branch.steps } } : {}),
  });
  const act = (command: Command): Promise<unknown> => ask("POST", `/api/tables/${id}/commands`, { key: newKey(), command });
  await act({ kind: "sit", seat: branch.seat, nonce: newNonce() });
  for (let seat = 0; seat < seats; seat += 1) {
    if (seat !== branch.seat) await act({ kind: "seat_bot", seat, bot: branch.bot });
  }
  await act({ kind: "start" });
  return id;
}
