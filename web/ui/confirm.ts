import { shallowRef } from 'vue';

export interface Question {
  readonly title: string;
  readonly text?: string;
  /** The affected things, one per line. */
  readonly items?: readonly string[];
  /** The button's label, which names the action: “Delete”, not “OK”. */
  readonly action: string;
  /** What the button says that does nothing, where “Cancel” would be ambiguous. */
  readonly dismiss?: string;
  readonly isDangerous?: boolean;
  /** A text that must be typed first, for severe consequences. */
  readonly typed?: string;
}

export const pendingQuestion = shallowRef<Question & { answer(isYes: boolean): void }>();

/** Asks for confirmation; resolves to whether the user agreed. */
export function confirm(question: Question): Promise<boolean> {
  pendingQuestion.value?.answer(false);
  const { promise, resolve } = Promise.withResolvers<boolean>();
  pendingQuestion.value = {
    ...question,
    answer(isYes) {
      pendingQuestion.value = undefined;
      resolve(isYes);
    },
  };
  return promise;
}
