/** Types of TIFF. Numbers of more than one byte are written with the lowest byte first. */
export const tagType = {
  byte: 1,
  ascii: 2,
  short: 3,
  long: 4,
  undefined: 7,
  double: 12,
  long8: 16,
} as const;

type TagType = (typeof tagType)[keyof typeof tagType];

export interface WrittenTag {
  readonly id: number;
  readonly type: TagType;
  readonly values: ArrayLike<number>;
  /** Long lists of blocks stand behind all directories, which a reader gets with its first request then. */
  readonly isList?: boolean;
}

const valueBytes = { 1: 1, 2: 1, 3: 2, 4: 4, 7: 1, 12: 8, 16: 8 } as const;

/** The sizes of what differs between TIFF and BigTIFF. */
interface Sizes {
  readonly count: number;
  readonly entry: number;
  readonly offset: number;
}

const sizesOf = (isBig: boolean): Sizes =>
  isBig ? { count: 8, entry: 20, offset: 8 } : { count: 2, entry: 12, offset: 4 };

/**
 * A chain of directories with their values, as it stands in the file from `start` on, which is even. Its length depends on
 * the number of values alone.
 */
export function writeDirectories(
  directories: readonly (readonly WrittenTag[])[],
  { start, isBig }: { readonly start: number; readonly isBig: boolean },
): Uint8Array {
  const sizes = sizesOf(isBig);
  const sorted = directories.map((tags) => tags.toSorted((a, b) => a.id - b.id));
  const places = placeAll(sorted, sizes);
  const bytes = new Uint8Array(places.end);
  const view = new DataView(bytes.buffer);
  const setOffset = (at: number, value: number): void =>
    isBig ? view.setBigUint64(at, BigInt(value), true) : view.setUint32(at, value, true);
  for (const [number, tags] of sorted.entries()) {
    const at = places.directories[number]!;
    if (isBig) view.setBigUint64(at, BigInt(tags.length), true);
    else view.setUint16(at, tags.length, true);
    for (const [i, tag] of tags.entries()) {
      const entry = at + sizes.count + i * sizes.entry;
      view.setUint16(entry, tag.id, true);
      view.setUint16(entry + 2, tag.type, true);
      setOffset(entry + 4, tag.values.length);
      const valueAt = entry + sizes.entry - sizes.offset;
      const place = places.values.get(tag);
      if (place !== undefined) setOffset(valueAt, start + place);
      setValues(view, place ?? valueAt, tag);
    }
    const next = places.directories[number + 1];
    setOffset(at + sizes.count + tags.length * sizes.entry, next === undefined ? 0 : start + next);
  }
  return bytes;
}

interface Places {
  readonly directories: readonly number[];
  /** Of values that do not fit into their entry. */
  readonly values: ReadonlyMap<WrittenTag, number>;
  readonly end: number;
}

function placeAll(directories: readonly (readonly WrittenTag[])[], sizes: Sizes): Places {
  const values = new Map<WrittenTag, number>();
  let end = 0;
  const place = (tag: WrittenTag): void => {
    const length = tag.values.length * valueBytes[tag.type];
    if (length <= sizes.offset) return;
    values.set(tag, end);
    end += aligned(length);
  };
  const starts = directories.map((tags) => {
    const at = end;
    end += aligned(sizes.count + tags.length * sizes.entry + sizes.offset);
    for (const tag of tags) if (tag.isList !== true) place(tag);
    return at;
  });
  for (const tags of directories) for (const tag of tags) if (tag.isList === true) place(tag);
  return { directories: starts, values, end };
}

function aligned(length: number): number {
  return Math.ceil(length / 8) * 8;
}

function setValues(view: DataView, at: number, { type, values }: WrittenTag): void {
  const size = valueBytes[type];
  for (let i = 0; i < values.length; i++) {
    const place = at + i * size;
    const value = values[i]!;
    if (type === tagType.short) view.setUint16(place, value, true);
    else if (type === tagType.long) view.setUint32(place, value, true);
    else if (type === tagType.double) view.setFloat64(place, value, true);
    else if (type === tagType.long8) view.setBigUint64(place, BigInt(value), true);
    else view.setUint8(place, value);
  }
}
