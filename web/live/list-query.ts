import { computed } from 'vue';
import { useRoute, useRouter, type LocationQueryRaw } from 'vue-router';
import type { Sorting } from '../ui/data-table.ts';

/**
 * The state of a list, kept in the address: filter text, sorting, page and selection. A link opens the same view, and
 * Back
 * returns to the previous one.
 */
export function useListQuery(initial: Sorting, limit = 50) {
  const route = useRoute();
  const router = useRouter();
  const read = (name: string) => {
    const value = route.query[name];
    return typeof value === 'string' ? value : undefined;
  };
  const write = (change: LocationQueryRaw) =>
    void router.replace({ query: { ...route.query, ...change }, hash: route.hash });

  /** Any other parameter of the address, such as a filter; undefined removes it. */
  const parameter = (name: string) =>
    computed({
      get: () => read(name),
      set: (value: string | undefined) =>
        write({ [name]: value === '' ? undefined : value, page: undefined }),
    });
  const filter = parameter('q');
  const text = computed({ get: () => filter.value ?? '', set: (value: string) => (filter.value = value) });
  const page = computed({
    get: () => Math.max(0, Math.trunc(Number(read('page') ?? 1)) - 1 || 0),
    set: (value: number) => write({ page: value === 0 ? undefined : value + 1 }),
  });
  const sorting = computed<Sorting>({
    get: (): Sorting => {
      const [by, direction] = (read('sort') ?? '').split('.');
      return by ? { by, direction: direction === 'desc' ? 'desc' : 'asc' } : initial;
    },
    set: ({ by, direction }) => write({ sort: `${by}.${direction}`, page: undefined }),
  });
  /** The query of the API's list operations. */
  const query = computed(() => ({
    page: page.value,
    limit,
    sort: sorting.value.direction,
    orderBy: [sorting.value.by],
  }));
  return { text, page, sorting, query, limit, parameter };
}
