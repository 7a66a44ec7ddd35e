import type { JobInput } from '../job-type.ts';
import type { MosaicSheet } from './mosaic-sheet.ts';
import { sign, type Signature } from './sign-units.ts';

/** What was found of a sheet, as JSON without paths, by a hash of what that depends on. */
export type KnownSheet = readonly [key: Signature, text: string];

/** Sheets that a former run has described, so that an update does not open those again that are as they were. */
export interface KnownSheets {
  find(input: JobInput): MosaicSheet | undefined;
  /** @returns the sheet as an update finds it: the same also in the order of its members, which its identity depends on */
  add(input: JobInput, sheet: MosaicSheet): MosaicSheet;
  /** All that were found or added, for the next update. */
  readonly records: ReadonlyMap<Signature, string>;
}

/** @param former of a run with the same options */
export function createKnownSheets(former: readonly KnownSheet[] = []): KnownSheets {
  const known = new Map(former);
  const records = new Map<Signature, string>();
  return {
    find(input) {
      const key = keyOf(input);
      const text = key && known.get(key);
      if (!text) return undefined;
      records.set(key, text);
      return fromText(text, input);
    },
    add(input, sheet) {
      const key = keyOf(input);
      if (!key) return sheet;
      const text = toText(sheet, input);
      records.set(key, text);
      return fromText(text, input);
    },
    records,
  };
}

/** @returns undefined if its content is unknown */
function keyOf({ name, content, crs, related = {} }: JobInput): Signature | undefined {
  if (content === undefined) return undefined;
  return sign([name, content, crs, Object.keys(related).toSorted()]);
}

const isPath = (name: string): boolean => /path$/i.test(name);

/** The name of a file among those of the input; '' is the sheet itself. */
function toText(sheet: MosaicSheet, { path, related = {} }: JobInput): string {
  const roles = new Map([...Object.entries(related).map(([role, own]) => [own, role] as const), [path, '']]);
  return JSON.stringify(sheet, (name, value: unknown) => {
    if (isPath(name)) return roles.get(value as string);
    if (typeof value === 'number' && !Number.isFinite(value)) return { number: String(value) };
    return value instanceof Float64Array ? { numbers: [...value] } : value;
  });
}

function fromText(text: string, { path, related = {} }: JobInput): MosaicSheet {
  return JSON.parse(text, (name, value: unknown) => {
    if (isPath(name)) return value === '' ? path : related[value as string];
    const { number, numbers } = (value ?? {}) as { readonly number?: string; readonly numbers?: number[] };
    if (number !== undefined) return Number(number);
    return numbers ? Float64Array.from(numbers) : value;
  }) as MosaicSheet;
}
