import { computed, type ComputedRef } from 'vue';
import { useRoute } from 'vue-router';

/**
 * A parameter of the address that stays the same while its page is being left, when the route is already the next one.
 */
export function useRouteParam(name: string): ComputedRef<string> {
  const route = useRoute();
  let last = '';
  return computed(() => {
    const value = route.params[name];
    return (last = typeof value === 'string' ? value : last);
  });
}
