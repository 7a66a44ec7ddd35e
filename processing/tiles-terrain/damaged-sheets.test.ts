import assert from 'node:assert/strict';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { BytesError } from '@platen/formats/bytes/bytes';
import { writeTiff } from '@platen/formats/geotiff/testing';
import { mutate } from '@platen/formats/wkb/testing';
import { afterFile } from '../../checks/clean-up.ts';
import { JobFailure, type JobContext } from '../job-type.ts';
import { planSheets } from './plan-sheets.ts';
import { planTerrainUnits, shapeOf } from './pyramid/pyramid-shape.ts';
import { readSettings } from './settings.ts';
import { openCells } from './sheets/open-cells.ts';

const folder = await mkdtemp(join(tmpdir(), 'platen-terrain-damaged-'));
afterFile(() => rm(folder, { recursive: true }));

const side = 12;
const heightAt = (column: number, row: number): number => 400 + 7 * column - 3 * row;
const places = Array.from({ length: side * side }, (_, i) => [i % side, Math.floor(i / side)] as const);

const tiff = writeTiff({
  images: [{ width: side, height: side, bits: 32, sampleFormat: 3, isDeflated: true, sample: heightAt }],
  keys: [
    [1024, 0, 1, 1],
    [1025, 0, 1, 1],
    [3072, 0, 1, 25_832],
  ],
  scale: [10, 10],
  tie: [0, 0, 0, 680_000, 5_440_000, 0],
  noData: '-9999',
});
const ascii = `ncols ${side}\nnrows ${side}\nxllcorner 680000\nyllcorner 5440000\ncellsize 10\nNODATA_value -9999\n${places.map((place) => heightAt(...place)).join(' ')}\n`;
const xyz = places.map(([x, y]) => `${680_000 + 10 * x} ${5_440_000 - 10 * y} ${heightAt(x, y)}\n`).join('');
const hgt = Buffer.alloc(1201 * 1201 * 2, 1);

const samples = [
  { name: 'heights.tif', bytes: tiff },
  { name: 'heights.asc', bytes: Buffer.from(ascii), crs: 'EPSG:25832' },
  { name: 'heights.xyz', bytes: Buffer.from(xyz), crs: 'EPSG:25832' },
  { name: 'N49E011.hgt', bytes: hgt },
];

type Outcome = 'read' | 'refused';

/** Plans a job on one sheet and reads cells of it, as the job does. */
async function readSheet(input: { readonly name: string; readonly crs?: string }, bytes: Uint8Array) {
  const path = join(folder, input.name);
  await writeFile(path, bytes);
  const context = { signal: new AbortController().signal, log: () => {}, warn: () => {} };
  const options = { strict: true, heights: {}, scratchPathOf: () => join(folder, 'scratch') };
  const inputs = [{ ...input, path, size: bytes.length }];
  try {
    const planned = await planSheets(inputs, options, context as unknown as JobContext);
    planTerrainUnits(shapeOf(readSettings({}, false), planned.sheets), planned.sheets);
    for (const sheet of planned.sheets) {
      const cells = await openCells(sheet, 1 << 20);
      try {
        const [width, height] = [Math.min(sheet.width, 64), Math.min(sheet.height, 64)];
        await cells.read({ column: 0, row: 0, width, height });
        await cells.read({ column: sheet.width - width, row: sheet.height - height, width, height });
      } finally {
        await cells.close();
      }
    }
    return 'read';
  } catch (error) {
    const isReported = error instanceof JobFailure || error instanceof BytesError;
    assert.ok(isReported, `${input.name}: ${error instanceof Error ? error.stack : String(error)}`);
    return 'refused';
  }
}

/** Of each file. CI makes 200, `npm run torture` more. */
const copies = 2 * Number(process.env['PLATEN_MUTANTS'] ?? 40);

for (const { bytes, ...input } of samples)
  test(`${copies} damaged copies of ${input.name} are read or refused with a reason`, async () => {
    assert.equal(await readSheet(input, bytes), 'read');
    const outcomes = new Map<Outcome, number>();
    for (let seed = 0; seed < copies; seed++) {
      const outcome = await readSheet(input, mutate(bytes, seed));
      outcomes.set(outcome, (outcomes.get(outcome) ?? 0) + 1);
    }
    assert.ok(outcomes.get('read')! > 0 && outcomes.get('refused')! > 0, JSON.stringify([...outcomes]));
  });
