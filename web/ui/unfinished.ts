import {
  computed,
  inject,
  onScopeDispose,
  provide,
  ref,
  type ComputedRef,
  type InjectionKey,
  type Ref,
} from 'vue';

const key: InjectionKey<Ref<ReadonlySet<symbol>>> = Symbol('unfinished');

/** Whether a field below holds incomplete input, such as half-typed JSON, which saving would lose. */
export function provideUnfinished(): ComputedRef<boolean> {
  const fields = ref<ReadonlySet<symbol>>(new Set());
  provide(key, fields);
  return computed(() => fields.value.size > 0);
}

/** For such a field: reports its state to the surrounding form, if any. An unmounted field counts as finished. */
export function useUnfinished(): (isUnfinished: boolean) => void {
  const fields = inject(key, undefined);
  const me = Symbol();
  const report = (isUnfinished: boolean) => {
    if (!fields || fields.value.has(me) === isUnfinished) return;
    fields.value = isUnfinished
      ? new Set([...fields.value, me])
      : new Set([...fields.value].filter((field) => field !== me));
  };
  onScopeDispose(() => report(false));
  return report;
}
