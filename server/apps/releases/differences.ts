import { isObject } from '../../base/is-object.ts';
import type { Difference } from '@platen/contract/releases';
import { escapePointer } from '../../base/pointer.ts';

const shortLength = 200;

export interface Differences {
  readonly found: Difference[];
  /** Whether there are more differences than `max`. */
  readonly isCut: boolean;
}

interface Finding extends Differences {
  isCut: boolean;
  readonly max: number;
}

type Json = Readonly<Record<string, unknown>>;

/**
 * Finds up to `max` differences between two JSON objects. Items of lists are matched by their names or ids if all of
 * them have a unique one, otherwise by position.
 */
export function differencesOf(before: Json, after: Json, max: number): Differences {
  const finding: Finding = { found: [], isCut: false, max };
  compareObjects(finding, before, after, '');
  return { found: finding.found, isCut: finding.isCut };
}

function note(finding: Finding, difference: Difference): void {
  if (finding.found.length < finding.max) finding.found.push(difference);
  else finding.isCut = true;
}

function compare(finding: Finding, before: unknown, after: unknown, pointer: string): void {
  if (finding.isCut || before === after) return;
  if (Array.isArray(before) && Array.isArray(after)) compareLists(finding, before, after, pointer);
  else if (isObject(before) && isObject(after)) compareObjects(finding, before, after, pointer);
  else note(finding, { pointer, change: 'changed', before: short(before), after: short(after) });
}

function compareObjects(finding: Finding, before: Json, after: Json, pointer: string): void {
  for (const [key, value] of Object.entries(before)) {
    const at = `${pointer}/${escapePointer(key)}`;
    if (Object.hasOwn(after, key)) compare(finding, value, after[key], at);
    else note(finding, { pointer: at, change: 'removed', before: short(value) });
  }
  for (const [key, value] of Object.entries(after)) {
    if (!Object.hasOwn(before, key))
      note(finding, { pointer: `${pointer}/${escapePointer(key)}`, change: 'added', after: short(value) });
  }
}

function compareLists(
  finding: Finding,
  before: readonly unknown[],
  after: readonly unknown[],
  pointer: string,
): void {
  const old = namesOf(before);
  const names = old && namesOf(after);
  if (old && names && (old.length > 0 || names.length > 0))
    return compareNamed(finding, { items: before, names: old }, { items: after, names }, pointer);
  for (const [index, value] of after.entries()) {
    const at = `${pointer}/${index}`;
    if (index < before.length) compare(finding, before[index], value, at);
    else note(finding, { pointer: at, change: 'added', after: short(value) });
  }
  for (const [index, value] of before.slice(after.length).entries())
    note(finding, { pointer: `${pointer}/${after.length + index}`, change: 'removed', before: short(value) });
}

interface NamedItems {
  readonly items: readonly unknown[];
  readonly names: readonly string[];
}

function compareNamed(finding: Finding, before: NamedItems, after: NamedItems, pointer: string): void {
  const places = new Map(before.names.map((name, index) => [name, index]));
  const there = new Set(after.names);
  for (const [index, name] of before.names.entries()) {
    if (!there.has(name))
      note(finding, {
        pointer: `${pointer}/${index}`,
        change: 'removed',
        name: shortName(name),
        before: short(before.items[index]),
      });
  }
  const moved = movedOf(before.names, after.names);
  for (const [index, name] of after.names.entries()) {
    const at = `${pointer}/${index}`;
    const place = places.get(name);
    if (place === undefined) {
      note(finding, {
        pointer: at,
        change: 'added',
        name: shortName(name),
        after: short(after.items[index]),
      });
      continue;
    }
    if (moved.has(name))
      note(finding, {
        pointer: at,
        change: 'moved',
        name: shortName(name),
        before: `${pointer}/${place}`,
        after: at,
      });
    compare(finding, before.items[place], after.items[index], at);
  }
}

/**
 * Finds the smallest set of names that changed position, of those in both lists: an item that moves to the front
 * counts as moved, not all the others. The unmoved items are a longest increasing subsequence of positions.
 */
export function movedOf(before: readonly string[], after: readonly string[]): Set<string> {
  const places = new Map(before.map((name, index) => [name, index]));
  const kept = after.filter((name) => places.has(name));
  const placeOf = (index: number) => places.get(kept[index]!)!;
  const previous: number[] = [];
  /** At index n - 1: where the subsequence of length n with the lowest last position ends. */
  const ends: number[] = [];
  for (const index of kept.keys()) {
    let low = 0;
    let high = ends.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if (placeOf(ends[middle]!) < placeOf(index)) low = middle + 1;
      else high = middle;
    }
    previous.push(low > 0 ? ends[low - 1]! : -1);
    ends[low] = index;
  }
  const moved = new Set(kept);
  for (let index = ends.at(-1) ?? -1; index >= 0; index = previous[index]!) moved.delete(kept[index]!);
  return moved;
}

/** undefined where not every item is an object with a name, or an id, of its own. */
function namesOf(items: readonly unknown[]): string[] | undefined {
  const names: string[] = [];
  for (const item of items) {
    const name = isObject(item) ? (item['name'] ?? item['id']) : undefined;
    if (typeof name !== 'string') return undefined;
    names.push(name);
  }
  return new Set(names).size === names.length ? names : undefined;
}

const shortName = (name: string) => name.slice(0, shortLength);

/** The value as JSON, truncated if it is large. */
function short(value: unknown): string {
  let room = shortLength;
  const text =
    JSON.stringify(value, (_key, child: unknown) => {
      if (room < 0) return undefined;
      room -= typeof child === 'string' ? child.length + 2 : 2;
      return typeof child === 'string' ? child.slice(0, shortLength) : child;
    }) ?? 'null';
  return text.length > shortLength ? `${text.slice(0, shortLength - 1)}…` : text;
}
