import { numbersOf, rawOf, type Directory, type Tiff } from './read-tiff.ts';
import { tag } from './tags.ts';

/** The keys of GeoTIFF (OGC 19-008r4), which LAS files have, too. */
export interface GeoKeys {
  /** A code, or a number. */
  number(key: number): number | undefined;
  /** Several numbers. */
  list(key: number): readonly number[];
  text(key: number): string | undefined;
  readonly size: number;
  /** `1.1` */
  readonly version: string;
}

export const geoKey = {
  modelType: 1024,
  rasterType: 1025,
  citation: 1026,
  geographicCrs: 2048,
  geographicCitation: 2049,
  angularUnits: 2054,
  ellipsoid: 2056,
  semiMajorAxis: 2057,
  semiMinorAxis: 2058,
  inverseFlattening: 2059,
  primeMeridian: 2061,
  toWgs84: 2062,
  projectedCrs: 3072,
  projectedCitation: 3073,
  projection: 3074,
  method: 3075,
  linearUnits: 3076,
  linearUnitSize: 3077,
  verticalCrs: 4096,
  verticalCitation: 4097,
  verticalDatum: 4098,
  verticalUnits: 4099,
} as const;

export const userDefined = 32_767;

/** Values of TIFFTagLocation: the tag that holds the value of a key. */
const inDirectory = 0;
const inDoubles = 34_736;
const inTexts = 34_737;

const maxShorts = 4 * 1025;

/** @throws BytesError */
export async function readGeoKeys(tiff: Tiff, directory: Directory): Promise<GeoKeys> {
  const shorts = await numbersOf(tiff, directory, tag.geoKeys, { count: maxShorts });
  const doubles = await numbersOf(tiff, directory, tag.geoDoubles, { count: maxShorts });
  const texts = new TextDecoder('latin1').decode(await rawOf(tiff, directory, tag.geoTexts));
  return decodeGeoKeys(shorts, doubles, texts);
}

/** Keys that point outside their data are ignored. */
export function decodeGeoKeys(shorts: ArrayLike<number>, doubles: ArrayLike<number>, texts: string): GeoKeys {
  const numbers = new Map<number, number>();
  const lists = new Map<number, number[]>();
  const strings = new Map<number, string>();
  for (let at = 4; at + 3 < shorts.length; at += 4) {
    const [key, place, count, value] = [shorts[at]!, shorts[at + 1]!, shorts[at + 2]!, shorts[at + 3]!];
    const double = doubles[value];
    if (place === inDirectory) numbers.set(key, value);
    else if (place === inDoubles && double !== undefined) {
      numbers.set(key, double);
      lists.set(key, Array.from(doubles).slice(value, value + count));
    }
    // each text ends with a bar
    else if (place === inTexts)
      strings.set(
        key,
        texts
          .slice(value, value + count)
          .replace(/(?<![|\0])[|\0]+$/, '')
          .trim(),
      );
  }
  return {
    number: (key) => numbers.get(key),
    list: (key) => lists.get(key) ?? [],
    text: (key) => strings.get(key) || undefined,
    size: numbers.size + strings.size,
    version: `${shorts[1] ?? 1}.${shorts[2] ?? 0}`,
  };
}
