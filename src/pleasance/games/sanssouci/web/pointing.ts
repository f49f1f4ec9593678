// Pointer and keys over the whole board: what is hovered, clicked, dragged, or reached by arrow keys.

import { nextCell, nextSpace, type Layout } from "./layout";
import { parseSpot, spotName, type Spot } from "./picking";

export interface Listener {
  /** Somebody points at a spot, or at nothing. */
  readonly point: (spot: Spot | null) => void;
  /** Click, Enter or Space on a spot. */
  readonly act: (spot: Spot, isByKey: boolean) => void;
  /** One spot was dragged onto another. */
  readonly drop: (dragged: Spot, onto: Spot | null) => void;
  /** The focus came to a spot. */
  readonly focus: (spot: Spot) => void;
  readonly cancel: () => void;
  readonly canDrag: (spot: Spot) => boolean;
  /** What is dragged and how far the pointer has gone, in pixels; `null` when it is let go. */
  readonly drag: (dragged: { readonly spot: Spot; readonly x: number; readonly y: number } | null) => void;
  readonly layout: () => Layout;
}

const FAR = 7; // pixels before a press becomes a drag
const ARROWS = new Set(["ArrowLeft", "ArrowRight", "ArrowUp", "ArrowDown", "Home", "End"]);

const spotAt = (target: EventTarget | null): Spot | null =>
  target instanceof Element ? parseSpot((target.closest("[data-spot]") as HTMLElement | SVGElement | null)?.dataset["spot"]) : null;

/** Listen on the root of a board; the answer stops listening. */
export function listen(root: HTMLElement, listener: Listener): () => void {
  const stop = new AbortController();
  const on = <K extends keyof HTMLElementEventMap>(type: K, handle: (event: HTMLElementEventMap[K]) => void): void =>
    root.addEventListener(type, handle, { signal: stop.signal });
  let hasDragged = false;

  on("click", (event) => {
    const spot = spotAt(event.target);
    // The press that ended a drag is no click.
    if (spot && !hasDragged) listener.act(spot, event.detail === 0);
    hasDragged = false;
  });
  on("pointerover", (event) => {
    if (event.pointerType !== "touch") listener.point(spotAt(event.target));
  });
  on("pointerleave", () => listener.point(null));
  on("focusin", (event) => {
    const spot = spotAt(event.target);
    if (!spot) return;
    listener.focus(spot);
    if ((event.target as Element).matches(":focus-visible")) listener.point(spot);
  });
  on("focusout", (event) => {
    // It also comes while what had the focus is being taken off the page, when nothing may change yet.
    if (!spotAt(event.relatedTarget)) queueMicrotask(() => listener.point(null));
  });
  on("keydown", (event) => pressKey(root, event, listener));
  on("pointerdown", (event) => {
    const spot = spotAt(event.target);
    hasDragged = false;
    if (spot && event.isPrimary && event.button === 0 && listener.canDrag(spot)) {
      follow(spot, event, listener, () => (hasDragged = true));
    }
  });
  return () => stop.abort();
}

function pressKey(root: HTMLElement, event: KeyboardEvent, listener: Listener): void {
  if (event.key === "Escape") return listener.cancel();
  const spot = spotAt(event.target);
  if (!spot) return;
  if (ARROWS.has(event.key) && (spot.kind === "cell" || spot.kind === "space")) {
    const move = spot.kind === "cell" ? nextCell(spot.name, event.key) : nextSpace(listener.layout(), spot.name, event.key);
    root.querySelector<SVGElement>(`[data-spot="${spot.kind}/${move}"]`)?.focus();
  } else if ((event.key === "Enter" || event.key === " ") && !(event.target instanceof HTMLButtonElement)) {
    listener.act(spot, true); // buttons make a click of these keys themselves
  } else return;
  event.preventDefault();
}

/** Follow a press until it is let go; it becomes a drag once it has gone far enough. */
function follow(spot: Spot, press: PointerEvent, listener: Listener, begin: () => void): void {
  const stop = new AbortController();
  let isDragging = false;
  const move = (event: PointerEvent): void => {
    const [x, y] = [event.clientX - press.clientX, event.clientY - press.clientY];
    if (!isDragging && Math.hypot(x, y) > FAR) {
      isDragging = true;
      begin();
    }
    if (isDragging) {
      listener.drag({ spot, x, y });
      listener.point(under(event, spot) ?? spot);
    }
  };
  const end = (event: PointerEvent): void => {
    stop.abort();
    if (!isDragging) return;
    listener.drag(null);
    listener.point(null);
    listener.drop(spot, event.type === "pointerup" ? under(event, spot) : null);
  };
  const options = { signal: stop.signal };
  addEventListener("pointermove", move, options);
  addEventListener("pointerup", end, options);
  addEventListener("pointercancel", end, options);
}

/** What lies under the pointer, beside what is dragged. */
function under(event: PointerEvent, dragged: Spot): Spot | null {
  const spots = document.elementsFromPoint(event.clientX, event.clientY).map(spotAt);
  return spots.find((spot) => spot !== null && spotName(spot) !== spotName(dragged)) ?? null;
}
