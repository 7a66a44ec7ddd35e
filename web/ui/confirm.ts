import { shallowRef } from 'vue';

export interface Question {
  readonly title: string;
  readonly text?: string;
  /** What it has to do with, line by line. */
  readonly items?: readonly string[];
  /** What the button says that does it: “Delete”, not “OK”. */
  readonly action: string;
  /** What the button says that does nothing, where “Cancel” would be ambiguous. */
  readonly dismiss?: string;
  readonly isDangerous?: boolean;
  /** Something that has to be typed first, where the consequences are large. */
  readonly typed?: string;
}

export const asked = shallowRef<Question & { answer(isYes: boolean): void }>();

/** Asks, and resolves with whether the person wants it. */
export function confirm(question: Question): Promise<boolean> {
  asked.value?.answer(false);
  const { promise, resolve } = Promise.withResolvers<boolean>();
  asked.value = {
    ...question,
    answer(isYes) {
      asked.value = undefined;
      resolve(isYes);
    },
  };
  return promise;
}
