import { onScopeDispose, readonly, ref, watch, type Ref, type WatchSource } from 'vue';

/** Whether something has not changed for a time. */
export function useQuiet(source: WatchSource, ms: number): Readonly<Ref<boolean>> {
  const isQuiet = ref(false);
  let timer: ReturnType<typeof setTimeout> | undefined;
  watch(
    source,
    () => {
      isQuiet.value = false;
      clearTimeout(timer);
      timer = setTimeout(() => (isQuiet.value = true), ms);
    },
    { immediate: true },
  );
  onScopeDispose(() => clearTimeout(timer));
  return readonly(isQuiet);
}
