import { LRUCache } from 'lru-cache';
import type { PreviewOrder } from './draw-preview.ts';

/** A picture takes at most 250 kB. */
const maxPreviews = 64;

/** Draws one picture at a time, each of those asked for lately once. */
export function cachePreviews(draw: (order: PreviewOrder) => Promise<Uint8Array>): typeof draw {
  const kept = new LRUCache<string, Promise<Uint8Array>>({ max: maxPreviews });
  let last: Promise<unknown> = Promise.resolve();
  const begin = (key: string, order: PreviewOrder) => {
    const drawn = last.then(() => draw(order));
    last = drawn.catch(() => kept.delete(key));
    return drawn;
  };
  return (order) => {
    const key = JSON.stringify(order);
    const known = kept.get(key);
    if (known) return known;
    const drawn = begin(key, order);
    kept.set(key, drawn);
    return drawn;
  };
}
