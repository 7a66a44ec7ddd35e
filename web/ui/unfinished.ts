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

/** Whether fields below hold text that says nothing yet, as half-typed JSON: what is saved now would be without it. */
export function provideUnfinished(): ComputedRef<boolean> {
  const fields = ref<ReadonlySet<symbol>>(new Set());
  provide(key, fields);
  return computed(() => fields.value.size > 0);
}

/** For such a field: tells the form around, if there is one. A field that is gone holds nothing. */
export function useUnfinished(): (isUnfinished: boolean) => void {
  const fields = inject(key, undefined);
  const me = Symbol();
  const tell = (isUnfinished: boolean) => {
    if (!fields || fields.value.has(me) === isUnfinished) return;
    fields.value = isUnfinished
      ? new Set([...fields.value, me])
      : new Set([...fields.value].filter((field) => field !== me));
  };
  onScopeDispose(() => tell(false));
  return tell;
}
