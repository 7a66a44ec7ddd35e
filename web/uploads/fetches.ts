import { computed, shallowRef } from 'vue';

/** A file that the service downloads from the web for this user. */
export interface Fetch {
  readonly projectId: string;
  readonly bucketId: string;
  readonly jobId: string;
  readonly name: string;
}

const all = shallowRef<readonly Fetch[]>([]);

/** Downloads started since the page was loaded. */
export const fetches = computed(() => all.value);

export const addFetch = (one: Fetch): void => void (all.value = [...all.value, one]);
export const forgetFetch = (jobId: string): void =>
  void (all.value = all.value.filter((one) => one.jobId !== jobId));
