// Runs in the browser, as a part of start.ts: finds features by their names.
import { foldText } from './fold-text.ts';

/** Something with a name. */
export interface Named<T> {
  readonly title: string;
  /** Folded, with spaces around. */
  readonly folded: string;
  readonly item: T;
}

const maxTitle = 120;

/** undefined if the value is no name: nothing, an object, or without letters and digits. */
export function namedBy<T>(value: unknown, item: T): Named<T> | undefined {
  if (typeof value !== 'string' && typeof value !== 'number') return undefined;
  const title = String(value).trim().slice(0, maxTitle);
  const folded = foldText(title);
  return folded === '' ? undefined : { title, folded: ` ${folded} `, item };
}

/** Up to `max`: those of this very name, then those that begin with the text, then those with a word that does. */
export function findNames<T>(all: readonly Named<T>[], text: string, max: number): Named<T>[] {
  const wanted = foldText(text);
  if (wanted === '') return [];
  const [whole, begun, within]: Named<T>[][] = [[], [], []];
  for (const one of all) {
    const at = one.folded.indexOf(` ${wanted}`);
    if (at === -1) continue;
    const list = at > 0 ? within : one.folded.length === wanted.length + 2 ? whole : begun;
    if (list!.length < max) list!.push(one);
  }
  return [...whole!, ...begun!, ...within!].slice(0, max);
}
