import { hash } from 'node:crypto';
import type { BlockPlace } from '@platen/geo/terrain/height-grid';
import type { JobInput } from '../job-type.ts';
import { keyOf } from './zoom-layers.ts';

/** A sheet that was read from a file. */
interface FiledSheet {
  readonly path: string;
  /** The input, where the path is of a file that was made of it. */
  readonly sourcePath?: string;
}

/**
 * Identifies each sheet by everything that its pixels depend on: what is in its file and beside it, and how a job reads it.
 * @param inputs those that sheets were read from
 * @returns undefined if the content of one is unknown
 */
export function identifySheets(
  sheets: readonly FiledSheet[],
  inputs: readonly JobInput[],
): string[] | undefined {
  const contents = new Map(inputs.map(({ path, content }) => [path, content]));
  const contentOf = ({ path, sourcePath = path }: FiledSheet): string | undefined => contents.get(sourcePath);
  if (sheets.some((sheet) => contentOf(sheet) === undefined)) return undefined;
  return sheets.map((sheet) => sign([contentOf(sheet), sheet]));
}

/** What a unit is made of, as a hash: equal ones give the same tiles in runs with the same options and zooms. */
export type Signature = string;

/** Of a unit of the base: its sheets in their order. @param identities of all sheets */
export function signBase(sheets: readonly number[], identities: readonly string[]): Signature {
  return sign(sheets.map((number) => identities[number]));
}

/** Of a unit above the base: what the units below it are made of. */
export function signAbove(
  below: readonly { readonly unit: BlockPlace; readonly signature: Signature }[],
): Signature {
  return sign(below.map(({ unit, signature }) => [keyOf(unit), signature]));
}

/** A member of JSON whose name ends in `path`. A text has its quotation marks escaped, so that none begins in it. */
const pathMember = /"\w*[pP]ath":"(?:[^"\\]|\\.)*"/g;

/** A hash of plain data. Leaves out where files are, which differs from run to run. */
export function sign(value: unknown): Signature {
  // looking at each member with a replacer takes five times as long
  const text = JSON.stringify(value).replace(pathMember, '');
  return hash('sha256', text, 'base64').slice(0, 24);
}
