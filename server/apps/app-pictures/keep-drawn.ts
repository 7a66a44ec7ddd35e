import type { View } from './view.ts';

/** A picture has 250 kB at most. */
const mostKept = 64;

/** Draws one picture at a time, each of those asked for lately once. */
export function keepDrawn(draw: (view: View) => Promise<Uint8Array>): typeof draw {
  const kept = new Map<string, Promise<Uint8Array>>();
  let last: Promise<unknown> = Promise.resolve();
  const begin = (key: string, view: View) => {
    const drawn = last.then(() => draw(view));
    last = drawn.catch(() => kept.delete(key));
    return drawn;
  };
  return (view) => {
    const key = JSON.stringify(view);
    const drawn = kept.get(key) ?? begin(key, view);
    kept.delete(key);
    kept.set(key, drawn); // the last one asked for is the last to go
    if (kept.size > mostKept) kept.delete(kept.keys().next().value!);
    return drawn;
  };
}
