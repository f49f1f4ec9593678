// Pointer and keyboard input on the board: hover, click, drag, arrow keys.

import { nextCell, nextSpace, type Layout } from "./layout";
import { parseSpot, spotName, type Spot } from "./picking";

export interface PointerHandlers {
  /** The pointer is over a spot, or over none. */
  readonly point: (spot: Spot | null) => void;
  /** Click, Enter or Space on a spot. */
  readonly act: (spot: Spot, isByKey: boolean) => void;
  /** One spot was dragged onto another. */
  readonly drop: (dragged: Spot, onto: Spot | null) => void;
  /** A spot got the focus. */
  readonly focus: (spot: Spot) => void;
  readonly cancel: () => void;
  readonly canDrag: (spot: Spot) => boolean;
  /** The dragged spot and its offset in pixels; `null` after the drop. */
  readonly drag: (dragged: { readonly spot: Spot; readonly x: number; readonly y: number } | null) => void;
  readonly layout: () => Layout;
}

const DRAG_THRESHOLD_PX = 7; // a shorter movement is a click
const ARROWS = new Set(["ArrowLeft", "ArrowRight", "ArrowUp", "ArrowDown", "Home", "End"]);

const spotAt = (target: EventTarget | null): Spot | null =>
  target instanceof Element
    ? parseSpot(target.closest<HTMLElement | SVGElement>("[data-spot]")?.dataset["spot"])
    : null;

/** Attach handlers to the root of a board; return a function that detaches them. */
export function attachPointer(root: HTMLElement, handlers: PointerHandlers): () => void {
  const stop = new AbortController();
  const on = <K extends keyof HTMLElementEventMap>(type: K, handle: (event: HTMLElementEventMap[K]) => void): void =>
    root.addEventListener(type, handle, { signal: stop.signal });
  let hasDragged = false;

  on("click", (event) => {
    const spot = spotAt(event.target);
    // The browser sends a click after a drag; it is ignored.
    if (spot && !hasDragged) handlers.act(spot, event.detail === 0);
    hasDragged = false;
  });
  on("pointerover", (event) => {
    if (event.pointerType !== "touch") handlers.point(spotAt(event.target));
  });
  on("pointerleave", () => handlers.point(null));
  on("focusin", (event) => {
    const spot = spotAt(event.target);
    if (!spot) return;
    handlers.focus(spot);
    if ((event.target as Element).matches(":focus-visible")) handlers.point(spot);
  });
  on("focusout", (event) => {
    // The event also fires while Svelte removes the focused element, when state must not change.
    if (!spotAt(event.relatedTarget)) queueMicrotask(() => handlers.point(null));
  });
  on("keydown", (event) => pressKey(root, event, handlers));
  on("pointerdown", (event) => {
    const spot = spotAt(event.target);
    hasDragged = false;
    if (spot && event.isPrimary && event.button === 0 && handlers.canDrag(spot)) {
      follow(spot, event, handlers, () => (hasDragged = true));
    }
  });
  return () => stop.abort();
}

function pressKey(root: HTMLElement, event: KeyboardEvent, handlers: PointerHandlers): void {
  if (event.key === "Escape") return handlers.cancel();
  const spot = spotAt(event.target);
  if (!spot) return;
  if (ARROWS.has(event.key) && (spot.kind === "cell" || spot.kind === "space")) {
    const move =
      spot.kind === "cell" ? nextCell(spot.name, event.key) : nextSpace(handlers.layout(), spot.name, event.key);
    root.querySelector<SVGElement>(`[data-spot="${spot.kind}/${move}"]`)?.focus();
  } else if ((event.key === "Enter" || event.key === " ") && !(event.target instanceof HTMLButtonElement)) {
    handlers.act(spot, true); // browsers turn these keys into clicks on buttons
  } else return;
  event.preventDefault();
}

/** Track a press until its end; it becomes a drag beyond the threshold. */
function follow(spot: Spot, press: PointerEvent, handlers: PointerHandlers, begin: () => void): void {
  const stop = new AbortController();
  let isDragging = false;
  const move = (event: PointerEvent): void => {
    const [x, y] = [event.clientX - press.clientX, event.clientY - press.clientY];
    if (!isDragging && Math.hypot(x, y) > DRAG_THRESHOLD_PX) {
      isDragging = true;
      begin();
    }
    if (isDragging) {
      handlers.drag({ spot, x, y });
      handlers.point(spotUnder(event, spot) ?? spot);
    }
  };
  const end = (event: PointerEvent): void => {
    stop.abort();
    if (!isDragging) return;
    handlers.drag(null);
    handlers.point(null);
    handlers.drop(spot, event.type === "pointerup" ? spotUnder(event, spot) : null);
  };
  const options = { signal: stop.signal };
  addEventListener("pointermove", move, options);
  addEventListener("pointerup", end, options);
  addEventListener("pointercancel", end, options);
}

/** Find the spot under the pointer, except the dragged one. */
function spotUnder(event: PointerEvent, dragged: Spot): Spot | null {
  const spots = document.elementsFromPoint(event.clientX, event.clientY).map(spotAt);
  return spots.find((spot) => spot !== null && spotName(spot) !== spotName(dragged)) ?? null;
}
