const MAX_WAIT_MS = 100;

/** Run *callback* after the next frame was painted; return a function that cancels it. */
export function afterPaint(callback: () => void): () => void {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const cancel = (): void => {
    cancelAnimationFrame(frame);
    clearTimeout(timer);
  };
  const run = (): void => {
    cancel();
    callback();
  };
  const frame = requestAnimationFrame(() => {
    clearTimeout(timer);
    timer = setTimeout(run);
  });
  timer = setTimeout(run, document.hidden ? 0 : MAX_WAIT_MS); // hidden pages paint no frames
  return cancel;
}
