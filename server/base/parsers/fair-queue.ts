/** A queue in which the tenants take turns, so that none can fill it or keep the others waiting. */
export interface FairQueue<Item> {
  readonly size: number;
  /** Returns false if the queue is full, or the tenant has `max` items in it. */
  add(tenant: string, item: Item, max: number): boolean;
  /** Takes the next item, of a tenant without running ones if there is any. */
  take(isRunning: (tenant: string) => boolean): Item | undefined;
  remove(tenant: string, item: Item): void;
}

export function createFairQueue<Item>(maxItems: number): FairQueue<Item> {
  /** In the order of turns. */
  const tenants = new Map<string, Item[]>();
  let size = 0;

  function takeFrom(tenant: string): Item {
    const items = tenants.get(tenant)!;
    const item = items.shift()!;
    tenants.delete(tenant);
    if (items.length > 0) tenants.set(tenant, items);
    size -= 1;
    return item;
  }

  return {
    get size() {
      return size;
    },
    add(tenant, item, max) {
      const items = tenants.get(tenant) ?? [];
      if (size >= maxItems || items.length >= max) return false;
      items.push(item);
      tenants.set(tenant, items);
      size += 1;
      return true;
    },
    take(isRunning) {
      const [first] = tenants.keys();
      const next = tenants.keys().find((tenant) => !isRunning(tenant)) ?? first;
      return next === undefined ? undefined : takeFrom(next);
    },
    remove(tenant, item) {
      const items = tenants.get(tenant);
      const at = items?.indexOf(item) ?? -1;
      if (at < 0) return;
      items!.splice(at, 1);
      size -= 1;
      if (items!.length === 0) tenants.delete(tenant);
    },
  };
}
