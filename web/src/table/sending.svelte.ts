// A choice on its way to the server: shown at once, while the rest of the board waits for the paint.

import { afterPaint } from "$app/lib/paint";

export class Sending {
  /** Whether the board has been told that nothing more can be chosen. */
  isAtRest = $state(false);
  private sent = $state.raw<{ readonly token: string; readonly moment: string } | null>(null);

  get isUnderWay(): boolean {
    return this.sent !== null;
  }

  /** What is on its way, in the moment it was chosen: whoever looks next at this device must not see it. */
  shownAt(moment: string): string | null {
    return this.sent?.moment === moment ? this.sent.token : null;
  }

  async run(token: string, moment: string, send: () => Promise<void>): Promise<void> {
    this.sent = { token, moment };
    // That it was taken is painted first; to put out the lights of the whole board takes longer.
    const rest = afterPaint(() => (this.isAtRest = true));
    try {
      await send();
    } finally {
      rest();
      this.sent = null;
      this.isAtRest = false;
    }
  }
}
