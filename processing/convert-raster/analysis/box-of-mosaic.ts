import { findCrs, UnknownCrs, type Crs } from '@platen/formats/crs/find-crs';
import type { JobContext } from '../../job-type.ts';
import type { Mosaic } from './one-grid.ts';

type Box = [west: number, south: number, east: number, north: number];

/** Places on each edge that are transformed. */
const places = 33;

/** In degrees; undefined, with a warning, where the sheets do not say where they are. */
export function boxOfMosaic(mosaic: Mosaic, { inputs, warn }: JobContext): Box | undefined {
  const { sheet, column, row } = mosaic.sheets[0]!;
  const text = inputs.find(({ name }) => name === sheet.name)?.crs ?? sheet.crs.text;
  const crs = text === undefined ? undefined : knownCrs(text);
  if (!crs || !sheet.matrix) {
    warn(
      'sheetWithoutPlace',
      `${sheet.name} does not say where it is. The pixels are as they were, but maps cannot show them in their place.`,
      { file: sheet.name },
    );
    return undefined;
  }
  const [a, b, c, d, e, f] = sheet.matrix;
  const positions: number[] = [];
  for (let i = 0; i < places; i++) {
    const [x, y] = [(i / (places - 1)) * mosaic.width, (i / (places - 1)) * mosaic.height];
    for (const [right, down] of [
      [x, 0],
      [x, mosaic.height],
      [0, y],
      [mosaic.width, y],
    ] as const) {
      const [fromLeft, fromTop] = [right - column, down - row];
      positions.push(a * fromLeft + b * fromTop + c, d * fromLeft + e * fromTop + f);
    }
  }
  const degrees = Float64Array.from(positions);
  if (crs.kind !== 'lonLat') crs.toLonLat(degrees, degrees.length / 2);
  const [lons, lats] = [0, 1].map((odd) => degrees.filter((_, i) => i % 2 === odd));
  const box: Box = [Math.min(...lons!), Math.min(...lats!), Math.max(...lons!), Math.max(...lats!)];
  const isOnEarth =
    box.every(Number.isFinite) && box[0] >= -180 && box[2] <= 180 && box[1] >= -90 && box[3] <= 90;
  return isOnEarth ? box : undefined;
}

function knownCrs(text: string): Crs | undefined {
  try {
    return findCrs(text);
  } catch (error) {
    if (error instanceof UnknownCrs) return undefined;
    throw error;
  }
}
