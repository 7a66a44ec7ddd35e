import { LRUCache } from 'lru-cache';
import type { View } from './view.ts';

/** A picture takes at most 250 kB. */
const maxPreviews = 64;

/** Draws one picture at a time, each of those asked for lately once. */
export function cachePreviews(draw: (view: View) => Promise<Uint8Array>): typeof draw {
  const kept = new LRUCache<string, Promise<Uint8Array>>({ max: maxPreviews });
  let last: Promise<unknown> = Promise.resolve();
  const begin = (key: string, view: View) => {
    const drawn = last.then(() => draw(view));
    last = drawn.catch(() => kept.delete(key));
    return drawn;
  };
  return (view) => {
    const key = JSON.stringify(view);
    const known = kept.get(key);
    if (known) return known;
    const drawn = begin(key, view);
    kept.set(key, drawn);
    return drawn;
  };
}
