// Coordinates in drawings, written as in the `points` of a polygon.

/** Read points such as `10,41 11,31`; each may have a third number, such as a size. */
export function parsePoints(text: string): [x: number, y: number, size: number][] {
  return text.split(" ").map((point) => {
    const [x = 0, y = 0, size = 1] = point.split(",").map(Number);
    return [x, y, size];
  });
}
