import { nextTick, watch } from 'vue';
import { useRoute, useRouter } from 'vue-router';

/** Does what was chosen in the search, by its name in the address, once it is known that the person may; then the address forgets it. */
export function useDeed(deeds: Readonly<Record<string, () => unknown>>, may: () => boolean): void {
  const route = useRoute();
  const router = useRouter();
  watch(
    () => (may() ? route.query['do'] : undefined),
    async (wanted) => {
      if (typeof wanted !== 'string') return;
      const { do: _done, ...query } = route.query;
      await router.replace({ query });
      await nextTick();
      await deeds[wanted]?.();
    },
    { immediate: true },
  );
}
