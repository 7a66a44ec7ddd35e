import assert from 'node:assert/strict';
import { test } from 'node:test';
import { findCrs } from '@platen/formats/crs/find-crs';
import { keysOf } from '@platen/formats/geotiff/testing';
import type { Resampling } from '@platen/geo/raster/kernels';
import { afterFile } from '../../checks/clean-up.ts';
import { degreesOf, mercatorOf, pixelMetres, tileSide } from '../raster-source/mercator-frame.ts';
import { openImageryTests, openTiles } from './testing.ts';

const tests = await openImageryTests();
afterFile(tests.remove);

const colour = [90, 160, 40] as const;
/** Pixels of a sheet. */
const side = 60;
/** Of a pixel, that a sheet is off its place. */
const rounding = 0.015;

/** Coordinate systems with a zoom whose pixels are about four times as large as those of the sheets. */
const systems = {
  UTM: { code: 25_832, coarseZoom: 16, pixel: 0.7, west: 512_345.1, north: 5_523_456.3 },
  'Belgian Lambert': { code: 31_370, coarseZoom: 17, pixel: 0.4, west: 150_000.2, north: 170_000.7 },
  'Swiss grid': { code: 2056, coarseZoom: 15, pixel: 2, west: 2_600_000, north: 1_200_000 },
  degrees: { code: 4326, coarseZoom: 16, pixel: 1.1e-5, west: 11.123456, north: 49.2 },
  'web mercator': { code: 3857, coarseZoom: 16, pixel: 1.3, west: 1_234_567.8, north: 6_234_567.8 },
} as const;
type System = (typeof systems)[keyof typeof systems];

/** Two by two sheets, of which one has finer pixels, and one is off by rounding. */
function putSheets({ code, pixel, west, north }: System) {
  const put = (column: number, row: number, { finer = 1, off = 0 } = {}) =>
    tests.put(`${code}-${column}-${row}.tif`, {
      images: [
        {
          width: side * finer,
          height: side * finer,
          bands: 3,
          photometric: 2,
          sample: (_x, _y, band) => colour[band]!,
        },
      ],
      keys: keysOf(code, code === 4326 ? 2 : 1),
      scale: [pixel / finer, pixel / finer],
      tie: [0, 0, 0, west + (column * side + off) * pixel, north - row * side * pixel, 0],
    });
  return Promise.all([put(0, 0), put(1, 0, { off: rounding }), put(0, 1, { finer: 2 }), put(1, 1)]);
}

/** Pixels of a zoom around the sheets, and how many pixels each is within their outer edges. */
function pixelsAround({ code, pixel, west, north }: System, zoom: number) {
  const crs = findCrs(`EPSG:${code}`);
  const [east, south] = [west + 2 * side * pixel, north - 2 * side * pixel];
  const corners = Float64Array.of(west, north, east, north, west, south, east, south);
  crs.toLonLat(corners, 4);
  const [lons, lats] = [0, 1].map((axis) => corners.filter((_, i) => i % 2 === axis));
  const box = [Math.min(...lons!), Math.min(...lats!), Math.max(...lons!), Math.max(...lats!)] as const;
  const metres = pixelMetres(zoom);
  const half = (2 ** zoom * tileSide) / 2;
  const [left, bottom, right, top] = mercatorOf(box).map((value) => value / metres);
  const [firstX, firstY] = [Math.floor(half + left!), Math.floor(half - top!)];
  const width = Math.ceil(half + right!) - firstX;
  const count = width * (Math.ceil(half - bottom!) - firstY);
  const pixels = Array.from({ length: count }, (_, i) => ({
    x: firstX + (i % width),
    y: firstY + Math.floor(i / width),
  }));
  // and one to the right of the first, to see how large they are
  const places = Float64Array.from(
    [...pixels, { x: firstX + 1, y: firstY }].flatMap(({ x, y }) => {
      const [right, up] = [(x + 0.5 - half) * metres, (half - y - 0.5) * metres];
      return degreesOf([right, up, right, up]).slice(0, 2);
    }),
  );
  crs.fromLonLat(places, count + 1);
  const step = Math.hypot(places[count * 2]! - places[0]!, places[count * 2 + 1]! - places[1]!);
  return pixels.map(({ x, y }, i) => {
    const [across, up] = [places[i * 2]!, places[i * 2 + 1]!];
    return { x, y, depth: Math.min(across - west, east - across, up - south, north - up) / step };
  });
}

interface Seen {
  /** Pixels within the edges. */
  readonly inside: number;
  /** The least alpha of these. */
  readonly leastAlpha: number;
  /** The most that their colours, and those of the rim around them, are off, as far as they are seen. */
  readonly mostOff: number;
}

const pixels = new Map<string, ReturnType<typeof pixelsAround>>();

/** @param margin pixels at the edges that are not looked at */
async function lookAt(outputFolder: string, system: System, margin: number): Promise<Seen> {
  const { archive, samplesAt } = await openTiles(outputFolder);
  const { minZoom, maxZoom } = archive.header;
  let [inside, leastAlpha, mostOff] = [0, 255, 0];
  for (let z = minZoom; z <= maxZoom; z++) {
    const tiles = new Map<string, ReturnType<typeof samplesAt>>();
    for (const { x, y, depth } of pixels.getOrInsertComputed(`${system.code} ${z}`, () =>
      pixelsAround(system, z),
    )) {
      if (depth < margin) continue;
      const [column, row] = [Math.floor(x / tileSide), Math.floor(y / tileSide)];
      const samples = await tiles.getOrInsertComputed(`${column} ${row}`, () => samplesAt(z, column, row));
      const at = ((y % tileSide) * tileSide + (x % tileSide)) * 4;
      const [red = 0, green = 0, blue = 0, alpha = 0] = samples?.subarray(at, at + 4) ?? [];
      if (depth > 1) [inside, leastAlpha] = [inside + 1, Math.min(leastAlpha, alpha)];
      if (alpha === 0) continue;
      const off = [red, green, blue].map((value, band) => (Math.abs(value - colour[band]!) * alpha) / 255);
      mostOff = Math.max(mostOff, ...off);
    }
  }
  return { inside, leastAlpha, mostOff };
}

/** With what colours may be off, and how far the white around them spreads in JPEG. */
const outputs = {
  png: { format: 'png', tolerance: 1, margin: 0 },
  webp: { format: 'webp', tolerance: 8, margin: 0 },
  jpeg: { format: 'jpeg', tolerance: 6, margin: 16 },
  'png of smaller pixels': { format: 'png', tolerance: 1, margin: 0, isCoarse: true },
} as const;
const kernels: readonly Resampling[] = ['nearest', 'bilinear', 'cubic', 'lanczos', 'average', 'mode'];

for (const [place, system] of Object.entries(systems)) {
  const sheets = await putSheets(system);
  // what is written lossily was put together without loss: so once is enough for that
  const written = Object.entries(outputs).filter(([, { format }]) => place === 'UTM' || format === 'png');
  for (const resampling of kernels)
    for (const [output, { format, tolerance, margin, ...more }] of written)
      test(`abutting sheets have no line between them, nor a rim: ${place}, ${resampling}, ${output}`, async () => {
        const maxZoom = 'isCoarse' in more ? { maxZoom: system.coarseZoom } : {};
        const { outputFolder } = await tests.run(sheets, {
          tiling: { resampling, minZoom: 13, ...maxZoom },
          image: { format },
        });
        const { inside, leastAlpha, mostOff } = await lookAt(outputFolder, system, margin);
        assert.ok(inside > 400, `${inside} pixels`);
        assert.equal(leastAlpha, 255);
        assert.ok(mostOff <= tolerance, `a colour is ${mostOff} off`);
      });
}
