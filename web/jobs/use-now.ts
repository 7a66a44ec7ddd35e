import { onScopeDispose, ref, type Ref } from 'vue';

/** The current time in milliseconds, updated regularly, for displaying durations. */
export function useNow(everyMs = 1000): Readonly<Ref<number>> {
  const now = ref(Date.now());
  const timer = setInterval(() => (now.value = Date.now()), everyMs);
  onScopeDispose(() => clearInterval(timer));
  return now;
}
