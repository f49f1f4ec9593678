// The layout of the sheet: side by side on wide screens, stacked on phones.

import { CELL, TOP } from "./garden";

export interface Layout {
  readonly isTall: boolean;
  readonly width: number;
  readonly height: number;
  /** The width for labels at both sides of a garden. */
  readonly margin: number;
  readonly garden: { readonly x: number; readonly y: number };
  readonly board: { readonly x: number; readonly y: number; readonly width: number; readonly height: number };
  readonly supply: { readonly x: number; readonly y: number };
  /** The size of a space relative to a cell. */
  readonly scale: number;
}

const GARDEN_WIDTH = 9 * CELL;

/** The height of a garden with its palace and the labels of its columns. */
export const GARDEN_HEIGHT = TOP + 6 * CELL + 36;

const WIDE_MARGIN = 38;
const BOARD_WIDTH = 2 * CELL + 16;

const WIDE: Layout = {
  isTall: false,
  width: BOARD_WIDTH + 28 + GARDEN_WIDTH + 2 * WIDE_MARGIN,
  height: GARDEN_HEIGHT + 6,
  margin: WIDE_MARGIN,
  garden: { x: BOARD_WIDTH + 28 + WIDE_MARGIN, y: 4 },
  board: { x: 4, y: 4 + TOP + CELL, width: BOARD_WIDTH, height: 5 * CELL },
  supply: { x: 4, y: 12 },
  scale: 1,
};

const TALL_MARGIN = 25;
const TALL_SCALE = 1.25;
const TALL_BOARD = { width: 5 * CELL * TALL_SCALE + 10, height: 2 * CELL * TALL_SCALE + 34 };

const TALL: Layout = {
  isTall: true,
  width: GARDEN_WIDTH + 2 * TALL_MARGIN,
  height: GARDEN_HEIGHT + TALL_BOARD.height + 14,
  margin: TALL_MARGIN,
  garden: { x: TALL_MARGIN, y: 4 },
  board: { x: TALL_MARGIN - 6, y: GARDEN_HEIGHT + 8, ...TALL_BOARD },
  supply: { x: TALL_MARGIN + TALL_BOARD.width + 6, y: GARDEN_HEIGHT + 12 },
  scale: TALL_SCALE,
};

/** Choose the layout for a width in pixels. */
export const layOut = (width: number): Layout => (width >= 700 ? WIDE : TALL);

/** Find the upper left corner of a space on the main board. */
export function spaceCorner(layout: Layout, space: string): { readonly x: number; readonly y: number } {
  const row = Number(space[0]) - 2;
  const side = space[1] === "l" ? 0 : 1;
  const pitch = CELL * layout.scale;
  return layout.isTall ? { x: 7 + row * pitch, y: 29 + side * pitch } : { x: 10 + side * pitch, y: 2 + row * pitch };
}

/** Find the next space for an arrow key; the tall layout swaps rows and columns. */
export function nextSpace(layout: Layout, space: string, key: string): string {
  const [down, right] = layout.isTall ? ["ArrowRight", "ArrowDown"] : ["ArrowDown", "ArrowRight"];
  const [up, left] = layout.isTall ? ["ArrowLeft", "ArrowUp"] : ["ArrowUp", "ArrowLeft"];
  const row = Number(space[0]) + (key === down ? 1 : key === up ? -1 : 0);
  const side = key === right ? "r" : key === left ? "l" : space[1];
  return `${Math.min(6, Math.max(2, row))}${side}`;
}

/** Find the next cell for a key; row 0 is the terrace. */
export function nextCell(cell: string, key: string): string {
  let column = cell.charCodeAt(0) - 97;
  let row = Number(cell[1]);
  if (key === "ArrowLeft") column -= 1;
  if (key === "ArrowRight") column += 1;
  if (key === "ArrowUp") row -= 1;
  if (key === "ArrowDown") row += 1;
  if (key === "Home") column = 0;
  if (key === "End") column = 8;
  return String.fromCharCode(97 + Math.min(8, Math.max(0, column))) + Math.min(6, Math.max(0, row));
}
