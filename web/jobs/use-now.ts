import { onScopeDispose, ref, type Ref } from 'vue';

/** The time, in milliseconds, as it goes by: for what tells how long something takes. */
export function useNow(everyMs = 1000): Readonly<Ref<number>> {
  const now = ref(Date.now());
  const timer = setInterval(() => (now.value = Date.now()), everyMs);
  onScopeDispose(() => clearInterval(timer));
  return now;
}
