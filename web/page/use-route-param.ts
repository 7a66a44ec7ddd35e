import { computed, type ComputedRef } from 'vue';
import { useRoute } from 'vue-router';

/** A parameter of the address, for pages that need it: while such a page is left, the address is already that of the next. */
export function useRouteParam(name: string): ComputedRef<string> {
  const route = useRoute();
  let last = '';
  return computed(() => {
    const value = route.params[name];
    return (last = typeof value === 'string' ? value : last);
  });
}
