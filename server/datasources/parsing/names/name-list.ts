/** A parser has ten seconds; what has been read by then is listed. */
export const maxReadingMs = 7000;

/** Ends the reading of a file, as there is no time or room for more. */
export class Enough extends Error {}

/** Where names of features are, for a search: one line for each, `name`, longitude and latitude, separated by tabs. */
export interface NameList {
  /** There are more names, or not all features were read. */
  readonly isCut: boolean;
  readonly names: string;
}

const maxNames = 50_000;
const maxLength = 3_500_000;
const maxNameLength = 200;
/** About 10 m. */
const decimals = 4;

export interface NameCollector {
  readonly isFull: boolean;
  /** @param place tells apart features of one name; equal ones count once */
  add(value: unknown, position: readonly [longitude: number, latitude: number], place: string): void;
  list(isCut: boolean): NameList;
}

/** Collects names without what would break their lines. */
export function collectNames(): NameCollector {
  const seen = new Set<string>();
  const lines: string[] = [];
  let length = 0;
  let isFull = false;
  return {
    get isFull() {
      return isFull;
    },
    add(value, [longitude, latitude], place) {
      if (typeof value !== 'string' && typeof value !== 'number') return;
      const name = String(value).slice(0, maxNameLength).replaceAll(/\s+/g, ' ').trim();
      const key = `${place}\t${name}`;
      if (name === '' || !Number.isFinite(longitude) || !Number.isFinite(latitude) || seen.has(key)) return;
      const line = `${name}\t${Number(longitude.toFixed(decimals))}\t${Number(latitude.toFixed(decimals))}`;
      isFull ||= lines.length >= maxNames || length + line.length > maxLength;
      if (isFull) return;
      seen.add(key);
      lines.push(line);
      length += line.length + 1;
    },
    list: (isCut) => ({ isCut: isCut || isFull, names: lines.join('\n') }),
  };
}
