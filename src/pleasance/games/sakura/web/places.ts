// Where everybody's place lies while cards are carried out: moved by drawing alone, so that nothing else shifts.

export interface Move {
  readonly x: number;
  readonly y: number;
}

/** How many columns and rows each seat's place is moved when the seats lie in this *order*. */
export function movePlaces(order: readonly number[], columns: number): readonly Move[] {
  return order.map((_, seat) => {
    const to = order.indexOf(seat);
    return { x: (to % columns) - (seat % columns), y: Math.floor(to / columns) - Math.floor(seat / columns) };
  });
}
