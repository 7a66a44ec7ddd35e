import assert from 'node:assert/strict';
import { test } from 'node:test';
import { gzipSync } from 'node:zlib';
import type { InspectionReport } from '@platen/contract/inspect';
import { seeded } from '@platen/formats/wkb/testing';
import { suggestJobs } from '../../suggest-jobs.ts';
import { codesOf, inspectFile, inspectFolder, survivesDamage } from '../testing-subject.ts';

const [west, south] = [690_000, 5_330_000];
const heightAt = (x: number, y: number): number => 500 + 8 * Math.sin(x / 9) + y / 7;

/** Rows from the south, with points every metre. */
function xyz(side: number, { offset = 0, lineBytes = 0 } = {}): string {
  const lines: string[] = [];
  for (let y = 0; y < side; y++)
    for (let x = 0; x < side; x++)
      lines.push(`${west + offset + x}.00 ${south + y}.00 ${heightAt(x, y).toFixed(2)}`.padEnd(lineBytes));
  return `${lines.join('\n')}\n`;
}

/** Its lines in random order; of some only a part. */
function shuffled(text: string, share = 1): string {
  const random = seeded(5);
  const lines = text.trimEnd().split('\n');
  const keyed = lines.map((line) => ({ line, key: random(2 ** 30) })).toSorted((a, b) => a.key - b.key);
  return `${keyed
    .slice(0, Math.ceil(keyed.length * share))
    .map(({ line }) => line)
    .join('\n')}\n`;
}

const layerOf = ({ layers: [layer] }: InspectionReport) => layer!;
const jobsOf = (report: InspectionReport) =>
  suggestJobs(report, 2).uses.flatMap(({ kind, type }) => (kind === 'job' ? [type] : []));

test('a text of heights on a grid is terrain, with its cells, picture and expected size, packed or not, in any order', async () => {
  const text = xyz(200);
  for (const report of [
    await inspectFile('dgm1.xyz', text),
    await inspectFile('dgm1.xyz.gz', gzipSync(text)),
    await inspectFile('dgm1.xyz', shuffled(text)),
    await inspectFile('dgm1.txt.gz', gzipSync(shuffled(text))),
  ]) {
    const { format, kind, thumbnail } = report;
    assert.deepEqual([format, kind, codesOf(report)], ['xyzGrid', 'terrain', ['missingCrs']]);
    const { details, bbox, isBboxEstimated } = layerOf(report);
    assert.deepEqual([details!['width'], details!['height'], details!['pixelSize']], [200, 200, [1, 1]]);
    assert.deepEqual([isBboxEstimated, details!['heightRange']], [false, [492, 536.43]]);
    assert.ok(Math.abs((bbox![2]! - bbox![0]!) * 74_400 - 200) < 10, 'as wide as 200 cells');
    const { asks, seaLevel } = details!['heights'] as { asks: boolean; seaLevel: string };
    assert.deepEqual([asks, seaLevel], [true, 'EPSG:7837'], 'the form asks, and knows the German sea level');
    assert.ok(thumbnail!.startsWith('data:image/'));
    assert.deepEqual(jobsOf(report), ['platenTilesTerrain']);
    const { suggestion } = suggestJobs(report, 2);
    assert.equal(suggestion?.maxZoom, 18);
    assert.ok(suggestion.expectedBytes! > 500_000);
  }
});

test('of a large text its beginning and its end, each less than a row, or parts of all of it say where it is', async () => {
  const text = xyz(800, { lineBytes: 170 });
  for (const content of [text, shuffled(text)].map((one) => Buffer.from(one))) {
    assert.ok(content.length > 96 << 20, `${content.length} bytes`);
    const report = await inspectFile('large.xyz', content);
    const { details, isBboxEstimated } = layerOf(report);
    assert.deepEqual(
      [details!['width'], details!['height'], details!['pixelSize'], isBboxEstimated],
      [800, 800, [1, 1], true],
    );
    assert.ok((details!['heightRange'] as number[])[1]! > 600);
  }
});

test('a grid in random order may lack most of its points, as those of a town do around it', async () => {
  const { kind, layers } = await inspectFile('town.xyz', shuffled(xyz(120), 0.2));
  const { width, height } = layers[0]!.details!;
  assert.deepEqual([kind, width, height], ['terrain', 120, 120]);
});

test('points of a scan are no grid, however coarsely they are rounded', async () => {
  const random = seeded(9);
  for (const [digits, extent] of [
    [3, 50],
    [2, 50],
    [1, 30],
    [0, 70],
  ] as const) {
    const place = (from: number) => (from + (random(1e9) / 1e9) * extent).toFixed(digits);
    const points = Array.from({ length: 5000 }, () => `${place(west)} ${place(south)} ${random(20)}`);
    assert.equal((await inspectFile('scan.xyz', points.join('\n'))).kind, 'pointCloud', `${digits} digits`);
  }
});

test('a folder of texts of heights is one mosaic that becomes terrain', async () => {
  const report = await inspectFolder({
    'dgm/west.xyz': xyz(100),
    'dgm/east.xyz': shuffled(xyz(100, { offset: 100 })),
  });
  const { details } = layerOf(report);
  assert.deepEqual([report.kind, details!['sheets'], details!['gaps']], ['terrain', 2, 0]);
  assert.deepEqual(jobsOf(report), ['platenTilesTerrain']);
});

test('a text whose points lie on no regular grid says so', async () => {
  const rows = Array.from({ length: 40 }, (_, y) =>
    Array.from({ length: 40 }, (_, x) => `${west + x} ${south + y + (y > 30 ? 0.4 : 0)} 5`).join('\n'),
  );
  const report = await inspectFile('odd.xyz', rows.join('\n'));
  assert.deepEqual([report.format, codesOf(report)], ['xyzGrid', ['damagedFile']]);
  assert.match(report.issues[0]!.message, /odd\.xyz .* no regular grid: .*gdal_grid/);
});

test('an ASCII grid has a picture and an expected size, too', async () => {
  const rows = Array.from({ length: 80 }, (_, y) =>
    Array.from({ length: 100 }, (_, x) => heightAt(x, y).toFixed(1)).join(' '),
  );
  const head = `ncols 100\nnrows 80\nxllcorner ${west}\nyllcorner ${south}\ncellsize 10\nNODATA_value -9999\n`;
  const report = await inspectFile('dgm.asc', head + rows.join('\n'));
  assert.ok(report.thumbnail);
  assert.ok(suggestJobs(report, 2).suggestion!.expectedBytes! > 100_000);
});

test('a packed grid that is cut off is damaged', async () => {
  const report = await inspectFile(
    'N48E010.hgt.gz',
    gzipSync(Buffer.alloc(1201 * 1201 * 2)).subarray(0, 900),
  );
  assert.deepEqual([report.kind, codesOf(report)], ['terrain', ['damagedFile']]);
});

test('survives damage of a text of heights', () => survivesDamage({ 'a.xyz': xyz(12) }, 'a.xyz', 'a.xyz'));
