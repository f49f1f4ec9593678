// What is said besides the page itself: short notes, questions, and news for who listens.

interface Note {
  readonly id: number;
  readonly text: string;
  /** Whether it says why something could not be chosen. */
  readonly isRefusal: boolean;
}

export interface Question {
  readonly text: string;
  readonly more?: string;
  readonly yes: string;
  readonly no?: string;
  /** The label of a field to fill in; the answer is what was written there. */
  readonly field?: string;
  /** How many letters fit into the field. */
  readonly longest?: number;
  readonly isGrave?: boolean;
}

interface Asked extends Question {
  readonly answer: (text: string | null) => void;
}

const LASTING = 6000;

class Notices {
  notes = $state.raw<readonly Note[]>([]);
  question = $state.raw<Asked | null>(null);
  /** Read aloud by screen readers. */
  news = $state("");
  private count = 0;

  note(text: string, isRefusal = false): void {
    const id = ++this.count;
    this.notes = [...this.notes.slice(-2), { id, text, isRefusal }];
    setTimeout(() => this.drop(id), LASTING);
  }

  drop(id: number): void {
    this.notes = this.notes.filter((note) => note.id !== id);
  }

  /** Drop what was refused before: something else has been chosen. */
  forgive(): void {
    this.notes = this.notes.filter((note) => !note.isRefusal);
  }

  ask(question: Question): Promise<string | null> {
    return new Promise((resolve) => {
      this.question = {
        ...question,
        answer: (text) => {
          this.question = null;
          resolve(text);
        },
      };
    });
  }
}

export const notices = new Notices();
export const note = (text: string): void => notices.note(text);
/** Say why something cannot be chosen. */
export const refuse = (text: string): void => notices.note(text, true);
/** Ask somebody; the answer is `null` for no, and for yes what was written, if anything. */
export const askPerson = (question: Question): Promise<string | null> => notices.ask(question);

export function announce(text: string): void {
  notices.news = text;
}

/** Do something, and say why if it is refused; tells whether it was done. */
export async function attempt(work: () => Promise<unknown>): Promise<boolean> {
  try {
    await work();
    return true;
  } catch (trouble) {
    note(trouble instanceof Error ? trouble.message : String(trouble));
    return false;
  }
}
