// Chooses the seat whose view is shown; one device may serve several seats.

import type { Snapshot } from "$app/wire";

interface ViewSeatChoice {
  readonly viewSeat: number | null;
  /** The seat whose player must take the device before their view is shown. */
  readonly handOverTo: number | null;
}

/** With several own seats, the view of another one is shown only after the device was handed over. */
export function chooseViewSeat({ views, info }: Snapshot, current: number | null): ViewSeatChoice {
  const own = views.map((view) => view.seat).filter((seat) => seat !== null);
  if (own.length < 2 || info.status !== "running") {
    return { viewSeat: own.includes(current ?? -1) ? current : (own[0] ?? null), handOverTo: null };
  }
  const acting = views.filter((view) => view.legal.length > 0).map((view) => view.seat);
  const canStay = current !== null && (acting.includes(current) || acting.length === 0);
  return { viewSeat: current, handOverTo: canStay ? null : (acting[0] ?? own[0] ?? null) };
}
