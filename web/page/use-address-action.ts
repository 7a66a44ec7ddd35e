import { nextTick, watch } from 'vue';
import { useRoute, useRouter } from 'vue-router';

/**
 * Runs the action that the address names (`?do=`), once the user is known to be permitted; then removes it from the
 * address.
 */
export function useAddressAction(actions: Readonly<Record<string, () => unknown>>, may: () => boolean): void {
  const route = useRoute();
  const router = useRouter();
  watch(
    () => (may() ? route.query['do'] : undefined),
    async (name) => {
      if (typeof name !== 'string') return;
      const { do: _done, ...query } = route.query;
      await router.replace({ query });
      await nextTick();
      await actions[name]?.();
    },
    { immediate: true },
  );
}
