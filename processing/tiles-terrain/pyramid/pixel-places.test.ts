import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Crs } from '@platen/formats/crs/crs';
import type { Sheet } from '../sheets/sheet.ts';
import { placePixels } from './pixel-places.ts';

const side = 128;
const cells = Float64Array.from({ length: side }, (_, i) => i + 0.25);
const sheet = { width: 200, height: 200, matrix: [1, 0, 0, 0, 1, 0] } as unknown as Sheet;

/** Longitude and latitude as a complex number: z + factor · z². In the middle of four places, its bends cancel out. */
const bent = (factor: number): Crs =>
  ({
    kind: 'projected',
    fromLonLat(at: Float64Array) {
      for (let i = 0; i < at.length; i += 2) {
        const [x, y] = [at[i]!, at[i + 1]!];
        at[i] = x + factor * (x * x - y * y);
        at[i + 1] = y + factor * 2 * x * y;
      }
    },
  }) as unknown as Crs;

for (const factor of [0, 0.0003, 0.002, 0.05])
  test(`cells are within an eighth of a pixel of their place where z + ${factor} z² bends a sheet`, () => {
    const crs = bent(factor);
    const { columns, rows } = placePixels(sheet, crs, { lons: cells, lats: cells });
    let largest = 0;
    for (let i = 0; i < side * side; i++) {
      const exact = Float64Array.of(cells[i % side]!, cells[Math.floor(i / side)]!);
      crs.fromLonLat(exact, 1);
      largest = Math.max(largest, Math.abs(columns[i]! - exact[0]!), Math.abs(rows[i]! - exact[1]!));
    }
    assert.ok(largest <= 0.125, `${largest} pixels`);
  });
