import { numbersOf, type Tiff } from './read-tiff.ts';
import { tag } from './tags.ts';
import type { TiffImage } from './read-image.ts';

/** The transformation from pixels to the CRS. */
export interface GeoTransform {
  /** x = a·column + b·row + c, y = d·column + e·row + f, from the upper left corner of the upper left pixel. */
  readonly matrix: readonly [a: number, b: number, c: number, d: number, e: number, f: number];
  /** Ground control points alone: the matrix is only near them. */
  readonly isApproximate: boolean;
}

/**
 * Uses ModelTransformation, or else one tie point and the pixel size, or else control points.
 * @param isPoint the coordinates are those of pixel centres
 * @returns undefined if the file has none of them. @throws BytesError
 */
export async function readGeoTransform(
  tiff: Tiff,
  { directory }: TiffImage,
  isPoint: boolean,
): Promise<GeoTransform | undefined> {
  const full = await numbersOf(tiff, directory, tag.transformation, { count: 16 });
  const scale = await numbersOf(tiff, directory, tag.pixelScale, { count: 3 });
  const ties = await numbersOf(tiff, directory, tag.tiepoints, { count: 6 * 1000 });
  const half = isPoint ? 0.5 : 0;
  const shifted = ([a, b, c, d, e, f]: GeoTransform['matrix']): GeoTransform['matrix'] => [
    ...([a, b, c - half * (a + b), d, e, f - half * (d + e)] as const),
  ];
  if (full.length === 16) {
    const [a, b, , c, d, e, , f] = full as unknown as number[];
    return sound(shifted([a!, b!, c!, d!, e!, f!]), false);
  }
  if (scale.length >= 2 && ties.length >= 6) {
    const [column, row, , x, y] = ties as unknown as number[];
    const [width, height] = [scale[0]!, scale[1]!];
    return sound(shifted([width, 0, x! - column! * width, 0, -height, y! + row! * height]), false);
  }
  return ties.length >= 18 ? sound(fitPlane(ties), true) : undefined;
}

function sound(matrix: GeoTransform['matrix'], isApproximate: boolean): GeoTransform | undefined {
  const [a, b, , d, e] = matrix;
  const isSound = matrix.every(Number.isFinite) && a * e - b * d !== 0;
  return isSound ? { matrix, isApproximate } : undefined;
}

/** Least squares through control points: column, row, 0, x, y, z each. */
function fitPlane(ties: Float64Array): GeoTransform['matrix'] {
  const count = Math.floor(ties.length / 6);
  const at = (i: number, member: number) => ties[i * 6 + member]!;
  const mean = (member: number) => {
    let sum = 0;
    for (let i = 0; i < count; i++) sum += at(i, member);
    return sum / count;
  };
  const [column, row, x, y] = [mean(0), mean(1), mean(3), mean(4)];
  let [cc, cr, rr] = [0, 0, 0];
  const products = { xc: 0, xr: 0, yc: 0, yr: 0 };
  for (let i = 0; i < count; i++) {
    const [dc, dr] = [at(i, 0) - column, at(i, 1) - row];
    cc += dc * dc;
    cr += dc * dr;
    rr += dr * dr;
    products.xc += dc * (at(i, 3) - x);
    products.xr += dr * (at(i, 3) - x);
    products.yc += dc * (at(i, 4) - y);
    products.yr += dr * (at(i, 4) - y);
  }
  const determinant = cc * rr - cr * cr;
  const a = (products.xc * rr - products.xr * cr) / determinant;
  const b = (products.xr * cc - products.xc * cr) / determinant;
  const d = (products.yc * rr - products.yr * cr) / determinant;
  const e = (products.yr * cc - products.yc * cr) / determinant;
  return [a, b, x - a * column - b * row, d, e, y - d * column - e * row];
}

/** Around all pixels, in the CRS. */
export function boxOf(
  { matrix: [a, b, c, d, e, f] }: GeoTransform,
  width: number,
  height: number,
): [west: number, south: number, east: number, north: number] {
  const corners = [
    [0, 0],
    [width, 0],
    [0, height],
    [width, height],
  ] as const;
  const xs = corners.map(([column, row]) => a * column + b * row + c);
  const ys = corners.map(([column, row]) => d * column + e * row + f);
  return [Math.min(...xs), Math.min(...ys), Math.max(...xs), Math.max(...ys)];
}
