// What can wait lets the browser paint first what somebody has just clicked.

const LONGEST = 100;

/** Run something once the frame that is due has been painted; give a way to call it off. */
export function afterPaint(run: () => void): () => void {
  let task: ReturnType<typeof setTimeout> | undefined;
  const go = (): void => {
    cancel();
    run();
  };
  const frame = requestAnimationFrame(() => {
    clearTimeout(task);
    task = setTimeout(go);
  });
  const cancel = (): void => {
    cancelAnimationFrame(frame);
    clearTimeout(task);
  };
  // Where nobody looks, nothing is painted.
  task = setTimeout(go, document.hidden ? 0 : LONGEST);
  return cancel;
}
