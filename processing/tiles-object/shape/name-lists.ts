import { readAll } from '@platen/formats/bytes/file-appender';
import type { Shape } from './shape.ts';
import { alignedTo, alignment } from './shape-layout.ts';
import { hashText } from './hash-words.ts';

/** The names of the attributes of shapes, which are the same for most: in a file, each list stands before the first shape that has it. */
export interface NameList {
  /** Where it is in the file of the shape. */
  readonly offset: number;
  readonly hash: number;
  readonly names: readonly string[];
}

/** More are written again: files may have a list for every object. */
const maxKnown = 10_000;

/**
 * The lists of a file that is written.
 * @param append writes bytes and returns where
 * @returns the list of a shape, which is written if the file has none like it
 */
export function createNameLists(append: (bytes: Uint8Array) => number): (shape: Shape) => NameList {
  const known = new Map<string, NameList>();
  const write = (names: readonly string[]): NameList => {
    const text = JSON.stringify(names);
    let list = known.get(text);
    if (list !== undefined) return list;
    const own = Buffer.from(text);
    const bytes = Buffer.alloc(alignedTo(lengthBytes + own.length, alignment));
    bytes.writeUInt32LE(own.length);
    bytes.set(own, lengthBytes);
    list = { offset: append(bytes), hash: hashText(text), names };
    if (known.size < maxKnown) known.set(text, list);
    return list;
  };
  /** Those that were used last, in any order. */
  const recent: NameList[] = [];
  let oldest = 0;
  return ({ attributes }) => {
    const found = recent.find(({ names }) => isListOf(names, attributes));
    if (found !== undefined) return found;
    const list = write([...attributes.keys()]);
    recent[oldest] = list;
    oldest = (oldest + 1) % maxRecent;
    return list;
  };
}

const maxRecent = 8;

const lengthBytes = 4;

function isListOf(names: readonly string[], attributes: Shape['attributes']): boolean {
  if (names.length !== attributes.size) return false;
  let i = 0;
  for (const name of attributes.keys()) if (name !== names[i++]) return false;
  return true;
}

/** Lists of files that are read, by the path of the file; the same array for the same place. */
export type ReadNames = Map<string, Map<number, readonly string[]>>;

/** @param file an open file with this path */
export function readNames(
  known: ReadNames,
  { file, path, offset }: { readonly file: number; readonly path: string; readonly offset: number },
): readonly string[] {
  let ofFile = known.get(path);
  if (ofFile === undefined) known.set(path, (ofFile = new Map()));
  let names = ofFile.get(offset);
  if (names !== undefined) return names;
  const length = Buffer.alloc(lengthBytes);
  readAll(file, length, offset);
  const text = Buffer.alloc(length.readUInt32LE());
  readAll(file, text, offset + lengthBytes);
  names = JSON.parse(text.toString()) as string[];
  if (ofFile.size >= maxKnown) ofFile.clear();
  ofFile.set(offset, names);
  return names;
}
