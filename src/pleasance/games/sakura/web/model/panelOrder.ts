// The order of the player panels while cards are resolved, as CSS offsets.

export interface Move {
  readonly x: number;
  readonly y: number;
}

/** Compute the offset of each panel in columns and rows. */
export function panelOffsets(order: readonly number[], columns: number): readonly Move[] {
  return order.map((_, seat) => {
    const to = order.indexOf(seat);
    return { x: (to % columns) - (seat % columns), y: Math.floor(to / columns) - Math.floor(seat / columns) };
  });
}
