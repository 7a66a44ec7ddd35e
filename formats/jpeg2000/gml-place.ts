import type { GeoTransform } from '../geotiff/geo-transform.ts';

/** Where GML in a JP2 file places the image. */
export interface GmlPlace {
  /** For findCrs. */
  readonly crs: string | undefined;
  readonly transform: GeoTransform | undefined;
}

const maxCoordinates = 200;

/**
 * The rectified grid of GML in JPEG 2000 (OGC 05-047r3): its origin is the middle of the upper left pixel. Where its axes are those of a
 * coordinate system that begins with the north, they are exchanged.
 */
export function readGmlPlace(text: string): GmlPlace {
  const code = /\bsrsName="[^"]{0,100}EPSG[^"\d]{0,20}(?:0[:/])?(\d{4,5})"/.exec(text)?.[1];
  const origin = numbersOf(/<gml:pos\b[^<>]{0,300}>([^<]{0,200})</.exec(text)?.[1]);
  const vectors = [...text.matchAll(/<gml:offsetVector\b[^<>]{0,300}>([^<]{0,200})</g)].map(([, one]) =>
    numbersOf(one),
  );
  const crs = code === undefined ? undefined : `EPSG:${code}`;
  const numbers = [origin, vectors[0] ?? [], vectors[1] ?? []];
  if (numbers.some((two) => two.length < 2)) return { crs, transform: undefined };
  const isExchanged = Math.abs(vectors[0]![0]!) < Math.abs(vectors[0]![1]!);
  const [[x, y], [a, d], [b, e]] = numbers.map(([first, second]) =>
    isExchanged ? [second!, first!] : [first!, second!],
  ) as [[number, number], [number, number], [number, number]];
  if (!(a * e - b * d !== 0)) return { crs, transform: undefined };
  return { crs, transform: { matrix: [a, b, x - (a + b) / 2, d, e, y - (d + e) / 2], isApproximate: false } };
}

function numbersOf(text = ''): number[] {
  const words = text
    .slice(0, maxCoordinates)
    .trim()
    .split(/[\s,]+/);
  const numbers = words.map(Number);
  return text.trim() !== '' && numbers.every(Number.isFinite) ? numbers : [];
}
