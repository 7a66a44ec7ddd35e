import { shallowRef } from 'vue';

export type Choice = 'replace' | 'keepBoth' | 'skip';

/** The pending question about dropped files whose names are taken; asked once for all of them. */
export const takenQuestion = shallowRef<{
  readonly keys: readonly string[];
  readonly total: number;
  answer(choice: Choice): void;
}>();
