import type { JobInput } from '../job-type.ts';
import type { MosaicSheet } from './mosaic-sheet.ts';
import { sign, type Signature } from './sign-units.ts';

/** What was found of a sheet, as JSON without paths, by a hash of what that depends on. */
export type KnownSheet = readonly [key: Signature, text: string];

/** What a sheet is told by. */
type KnownInput = Pick<JobInput, 'name' | 'path' | 'content' | 'crs' | 'related'>;

/** Sheets that a former run has described, so that an update does not open those again that are as they were. */
export interface KnownSheets<Sheet extends object = MosaicSheet> {
  find(input: KnownInput): Sheet | undefined;
  /** @returns the sheet as an update finds it: the same also in the order of its members, which its identity depends on */
  add(input: KnownInput, sheet: Sheet): Sheet;
  /** All that were found or added, for the next update. */
  readonly records: ReadonlyMap<Signature, string>;
}

/** @param former of a run with the same options */
export function createKnownSheets<Sheet extends object = MosaicSheet>(
  former: readonly KnownSheet[] = [],
): KnownSheets<Sheet> {
  const known = new Map(former);
  const records = new Map<Signature, string>();
  return {
    find(input) {
      const key = keyOf(input);
      const text = key && known.get(key);
      if (!text) return undefined;
      records.set(key, text);
      return fromText<Sheet>(text, input);
    },
    add(input, sheet) {
      const key = keyOf(input);
      if (!key) return sheet;
      const text = toText(sheet, input);
      records.set(key, text);
      return fromText<Sheet>(text, input);
    },
    records,
  };
}

/** @returns undefined if its content is unknown */
function keyOf({ name, content, crs, related = {} }: KnownInput): Signature | undefined {
  if (content === undefined) return undefined;
  return sign([name, content, crs, Object.keys(related).toSorted()]);
}

/** What is no JSON, or differs from run to run: a number that is not finite, a list of numbers, or the role of a file. */
type Special =
  | { readonly number: string }
  | { readonly numbers: readonly number[] }
  | { readonly role: string };
/** A sheet without what is special, and where that belongs. Parts are read without looking at each of their members. */
type Packed<Sheet> = readonly [
  sheet: Sheet,
  specials: readonly (readonly [keys: readonly string[], Special])[],
];
type Members = Record<string, unknown>;

/** The role of a file is its name among those of the input; '' is the sheet itself. */
function toText<Sheet extends object>(sheet: Sheet, { path, related = {} }: KnownInput): string {
  const roles = new Map([...Object.entries(related).map(([role, own]) => [own, role] as const), [path, '']]);
  const specials: [string[], Special][] = [];
  const plain = (value: unknown, keys: string[]): unknown => {
    const special = specialOf(value, keys.at(-1) ?? '', roles);
    if (special) {
      specials.push([keys, special]);
      return null; // keeps the order of the members
    }
    if (Array.isArray(value)) return value.map((one, i) => plain(one, [...keys, String(i)]));
    if (typeof value !== 'object' || value === null) return value;
    return Object.fromEntries(Object.entries(value).map(([key, one]) => [key, plain(one, [...keys, key])]));
  };
  const packed: Packed<Sheet> = [plain(sheet, []) as Sheet, specials];
  return JSON.stringify(packed);
}

function specialOf(value: unknown, key: string, roles: ReadonlyMap<string, string>): Special | undefined {
  if (/path$/i.test(key) && typeof value === 'string') return { role: roles.get(value)! };
  if (typeof value === 'number' && !Number.isFinite(value)) return { number: String(value) };
  return value instanceof Float64Array ? { numbers: [...value] } : undefined;
}

function fromText<Sheet extends object>(text: string, { path, related = {} }: KnownInput): Sheet {
  const [sheet, specials] = JSON.parse(text) as Packed<Sheet>;
  for (const [keys, special] of specials) {
    let at = sheet as unknown as Members;
    for (const key of keys.slice(0, -1)) at = at[key] as Members;
    at[keys.at(-1)!] =
      'role' in special
        ? special.role === ''
          ? path
          : related[special.role]
        : 'number' in special
          ? Number(special.number)
          : Float64Array.from(special.numbers);
  }
  return sheet;
}
