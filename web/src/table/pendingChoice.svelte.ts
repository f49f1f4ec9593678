// A choice on its way to the server: shown at once; the board is locked after the next paint.

import { afterPaint } from "$app/lib/afterPaint";

export class PendingChoice {
  /** Whether the board shows no legal choices while the choice is sent. */
  isBoardLocked = $state(false);
  private sent = $state.raw<{ readonly token: string; readonly position: string } | null>(null);

  get isSending(): boolean {
    return this.sent !== null;
  }

  /** Return the token if it was chosen in *position*; the next user of this device must not see it. */
  tokenAt(position: string): string | null {
    return this.sent?.position === position ? this.sent.token : null;
  }

  async run(token: string, position: string, send: () => Promise<void>): Promise<void> {
    this.sent = { token, position };
    // The chosen spot is painted first: redrawing the whole board takes longer.
    const cancelLock = afterPaint(() => (this.isBoardLocked = true));
    try {
      await send();
    } finally {
      cancelLock();
      this.sent = null;
      this.isBoardLocked = false;
    }
  }
}
