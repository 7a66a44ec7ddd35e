import { computed, shallowReactive, type ComputedRef } from 'vue';
import type { RouteLocationRaw } from 'vue-router';

export interface Activity {
  readonly id: string;
  readonly name: string;
  /** Between 0 and 1; undefined while it is not known how much there is to do. */
  readonly share: number | undefined;
  readonly to: RouteLocationRaw;
}

const sources = shallowReactive(new Map<string, ComputedRef<readonly Activity[]>>());

/** What is under way now. */
export const activities = computed(() => [...sources.values()].flatMap(({ value }) => value));

/** Adds what a part of the interface has under way, or takes it away again. */
export function tellActivities(source: string, list: ComputedRef<readonly Activity[]> | undefined): void {
  if (list) sources.set(source, list);
  else sources.delete(source);
}
