import { computed, shallowReactive, type ComputedRef } from 'vue';
import type { RouteLocationRaw } from 'vue-router';

export interface Activity {
  readonly id: string;
  readonly name: string;
  /** Between 0 and 1; undefined while the total is unknown. */
  readonly share: number | undefined;
  readonly to: RouteLocationRaw;
}

const sources = shallowReactive(new Map<string, ComputedRef<readonly Activity[]>>());

/** Everything in progress. */
export const activities = computed(() => [...sources.values()].flatMap(({ value }) => value));

/** Registers a feature's activities under its name; undefined removes them. */
export function reportActivities(source: string, list: ComputedRef<readonly Activity[]> | undefined): void {
  if (list) sources.set(source, list);
  else sources.delete(source);
}
