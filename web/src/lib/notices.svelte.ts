// Notices beside the page: short messages, questions to the user, and text for screen readers.

import { say } from "$app/lib/i18n.svelte";

interface Notice {
  readonly id: number;
  readonly text: string;
  /** Whether it explains a refused choice. */
  readonly isRefusal: boolean;
}

export interface Question {
  readonly text: string;
  readonly more?: string;
  readonly yes: string;
  readonly no?: string;
  /** The label of a text field; the answer is its content. */
  readonly field?: string;
  readonly maxLength?: number;
  readonly isDestructive?: boolean;
}

export interface OpenQuestion extends Question {
  readonly answer: (text: string | null) => void;
}

const NOTICE_DURATION_MS = 6000;

class Notices {
  list = $state.raw<readonly Notice[]>([]);
  question = $state.raw<OpenQuestion | null>(null);
  /** The content of the live region. */
  liveText = $state("");
  private count = 0;

  add(text: string, isRefusal = false): void {
    const id = ++this.count;
    this.list = [...this.list.slice(-2), { id, text, isRefusal }];
    setTimeout(() => this.drop(id), NOTICE_DURATION_MS);
  }

  drop(id: number): void {
    this.list = this.list.filter((notice) => notice.id !== id);
  }

  dropRefusals(): void {
    this.list = this.list.filter((notice) => !notice.isRefusal);
  }
}

export const notices = new Notices();
export const notify = (text: string): void => notices.add(text);
/** Explain why something cannot be chosen. */
export const notifyRefusal = (text: string): void => notices.add(text, true);
export const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));

/** Ask the user; `null` means no, any text means yes. */
export const askUser = (question: Question): Promise<string | null> =>
  new Promise((resolve) => {
    notices.question = {
      ...question,
      answer: (text) => {
        notices.question = null;
        resolve(text);
      },
    };
  });

/** Let screen readers speak *text*. */
export function announce(text: string): void {
  notices.liveText = text;
}

/** Run *work* and notify the user of an error; return whether it succeeded. */
export async function attempt(work: () => Promise<unknown>): Promise<boolean> {
  try {
    await work();
    return true;
  } catch (error) {
    notify(messageOf(error));
    return false;
  }
}

/** Copy a link; where the browser forbids it, call *select* so that the user can copy it. */
export async function copyLink(link: string, select: () => void): Promise<void> {
  try {
    await navigator.clipboard.writeText(link);
    notify(say("copied"));
  } catch {
    select(); // pages without HTTPS have no clipboard
    notify(say("copy_by_hand"));
  }
}
