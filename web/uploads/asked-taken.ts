import { shallowRef } from 'vue';

export type Choice = 'replace' | 'keepBoth' | 'skip';

/** Whoever drops files whose names are taken is asked once for all of them. */
export const askedTaken = shallowRef<{
  readonly keys: readonly string[];
  readonly total: number;
  answer(choice: Choice): void;
}>();
