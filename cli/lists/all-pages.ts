/** Items per request, the maximum of the service. */
const limit = 1000;

interface Page<Item> {
  readonly items: readonly Item[];
  readonly totalPages: number;
}

/** All items of a list. */
export async function allPages<Item>(
  get: (query: { limit: number; page: number }) => Promise<Page<Item>>,
): Promise<Item[]> {
  const all: Item[] = [];
  for (let page = 0; ; page++) {
    const { items, totalPages } = await get({ limit, page });
    all.push(...items);
    if (page + 1 >= totalPages) return all;
  }
}
