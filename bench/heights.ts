import { findVerticalCrs } from '@platen/formats/crs/find-vertical-crs';
import { Geoid } from '@platen/formats/geoid/geoid';
import { openHeightTransform } from '@platen/formats/geoid/height-transform';
import { openGeoid } from '@platen/formats/geoid/open-geoid';
import { openShippedGrid } from '@platen/formats/geoid/shipped-grid-file';
import { egm96, nationalGrids, type ShippedGrid } from '@platen/formats/geoid/shipped-grids';
import { median } from './load.ts';
import { print, printRatio } from './report.ts';

const count = 2_000_000;
const rounds = 7;

/** Heights per second of one core, beside the same points through a bare bilinear interpolation. */
export async function benchHeights(): Promise<void> {
  const world = await openShippedGrid(egm96);
  for (const [what, shipped, place] of [
    ['one after the other, DHHN2016', nationalGrids[0]!, inRows],
    ['at random, DHHN2016', nationalGrids[0]!, atRandom],
    ['at random, EGM96', egm96, atRandom],
  ] as const) {
    const grid = await openShippedGrid(shipped);
    const geoid = shipped === egm96 ? new Geoid(world) : new Geoid(grid, world);
    const points = place(shipped);
    const out = new Float64Array(count);
    const [ours, bare]: [number[], number[]] = [[], []];
    for (let round = 0; round < rounds; round++) {
      ours.push(perSecond(() => geoid.toEllipsoid(points, count)));
      geoid.fromEllipsoid(points, count);
      bare.push(perSecond(() => interpolateBare(grid, points, out)));
    }
    const [own, peer] = [median(ours), median(bare)];
    print(`${what}: ${millions(own)} M heights/s; bare interpolation ${millions(peer)}`);
    printRatio('of the bare interpolation', own / peer, 0.5);
    printRatio('M heights/s', own / 1e6, 20);
  }
  const feet = findVerticalCrs('EPSG:6360')!;
  const { geoid } = await openGeoid(feet);
  const transform = openHeightTransform(feet, geoid, 1.5);
  const points = atRandom(egm96);
  transform.toEllipsoid(points, count);
  print(
    `feet with an offset, EGM96: ${millions(perSecond(() => transform.toEllipsoid(points, count)))} M heights/s`,
  );
}

function millions(perSecond: number): string {
  return (perSecond / 1e6).toFixed(1);
}

/** By the CPU time of this process, so that others on the machine do not count. */
function perSecond(run: () => void): number {
  const begin = process.cpuUsage();
  run();
  const { user, system } = process.cpuUsage(begin);
  return count / ((user + system) / 1e6);
}

/** The inner half of the area, where every node has a value. */
function atRandom({ area: [west, south, east, north] }: ShippedGrid): Float64Array {
  return fill((i) => [
    west + (east - west) * (0.3 + 0.4 * ((i * 0.618_034) % 1)),
    south + (north - south) * (0.3 + 0.4 * ((i * 0.754_878) % 1)),
  ]);
}

function inRows({ area: [west, south, east, north] }: ShippedGrid): Float64Array {
  return fill((i) => [
    west + (east - west) * (0.4 + 0.2 * ((i % 1000) / 1000)),
    south + (north - south) * (0.4 + (0.2 * i) / count),
  ]);
}

function fill(place: (i: number) => readonly [number, number]): Float64Array {
  const points = new Float64Array(3 * count);
  for (let i = 0; i < count; i++) points.set([...place(i), 100], 3 * i);
  return points;
}

interface BareGrid {
  readonly columns: number;
  readonly west: number;
  readonly north: number;
  readonly lonStep: number;
  readonly latStep: number;
  readonly values: Float32Array;
}

/** What any implementation has to do at least: no bounds, no wrapping, no missing values. */
function interpolateBare(grid: BareGrid, points: Float64Array, out: Float64Array): void {
  const { columns, west, north, values } = grid;
  const [perLon, perLat] = [1 / grid.lonStep, 1 / grid.latStep];
  for (let i = 0; i < count; i++) {
    const x = (points[3 * i]! - west) * perLon;
    const y = (north - points[3 * i + 1]!) * perLat;
    const [column, row] = [x | 0, y | 0];
    const at = row * columns + column;
    const [dx, dy] = [x - column, y - row];
    const upper = values[at]! + (values[at + 1]! - values[at]!) * dx;
    const lower = values[at + columns]! + (values[at + columns + 1]! - values[at + columns]!) * dx;
    out[i] = points[3 * i + 2]! + upper + (lower - upper) * dy;
  }
}
