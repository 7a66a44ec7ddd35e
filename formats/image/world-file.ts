import type { GeoTransform } from '../geotiff/geo-transform.ts';
import { decodeEntities } from '../xml/decode-entities.ts';

/**
 * A world file: six lines A, D, B, E, C, F, of which C and F are the middle of the upper left pixel.
 * @returns undefined if it does not contain six numbers
 */
export function parseWorldFile(text: string): GeoTransform | undefined {
  const words = text.trim().split(/\s+/);
  const numbers = words.slice(0, 6).map((word) => Number(word.replace(',', '.')));
  if (numbers.length < 6 || !numbers.every(Number.isFinite)) return undefined;
  const [a, d, b, e, c, f] = numbers as [number, number, number, number, number, number];
  if (a * e - b * d === 0) return undefined;
  return { matrix: [a, b, c - (a + b) / 2, d, e, f - (d + e) / 2], isApproximate: false };
}

/** The endings a world file may have, in lower case: that of `photo.jpg` has `jgw`, `jpgw` or `wld`. */
export function worldFileEndings(name: string): string[] {
  const ending = name.slice(baseOf(name).length + 1).toLowerCase();
  return [`${ending.slice(0, 1)}${ending.slice(-1)}w`, `${ending}w`, 'wld'];
}

/** The names a world file may have: `photo.jpg` has `photo.jgw`, `photo.jpgw` or `photo.wld`. */
export function worldFileNames(name: string): string[] {
  const base = baseOf(name);
  return worldFileEndings(name).flatMap((one) => [`${base}.${one}`, `${base}.${one.toUpperCase()}`]);
}

function baseOf(name: string): string {
  const dot = name.lastIndexOf('.');
  return dot < 0 ? name : name.slice(0, dot);
}

/** The metadata file that GDAL writes next to an image, such as `photo.jpg.aux.xml`. */
export interface SideFile {
  /** WKT or a name. */
  readonly crs: string | undefined;
  readonly transform: GeoTransform | undefined;
}

const maxWktLength = 100_000;

/** Reads the CRS and the position from a PAM file (GDAL's PAMDataset). */
export function parseSideFile(text: string): SideFile {
  const srs = /<SRS\b[^<>]*>([^<]*)<\/SRS>/.exec(text)?.[1];
  const numbers = /<GeoTransform>([^<]*)<\/GeoTransform>/.exec(text)?.[1]?.split(',').map(Number) ?? [];
  const [c, a, b, f, d, e] = numbers as [number, number, number, number, number, number];
  const isSound = numbers.length === 6 && numbers.every(Number.isFinite) && a * e - b * d !== 0;
  return {
    crs: srs && srs.length <= maxWktLength ? unescape(srs).trim() || undefined : undefined,
    transform: isSound ? { matrix: [a, b, c, d, e, f], isApproximate: false } : undefined,
  };
}

function unescape(text: string): string {
  const decoding = decodeEntities(text);
  return 'text' in decoding ? decoding.text : text;
}
