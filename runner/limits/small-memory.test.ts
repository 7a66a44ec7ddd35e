import assert from 'node:assert/strict';
import { createWriteStream } from 'node:fs';
import { link, mkdtemp, realpath, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { test } from 'node:test';
import { afterFile } from '../../checks/clean-up.ts';
import { startJobProcess } from '../job-process.ts';

const scratchFolder = await realpath(await mkdtemp(join(tmpdir(), 'platen-small-memory-')));
afterFile(() => rm(scratchFolder, { recursive: true, force: true }));

/** 60 MB of lines, which take 70 MB as records. */
const linesPath = join(scratchFolder, 'lines.geojsonl');
await pipeline(Readable.from(lines()), createWriteStream(linesPath));
/** 15 MB of points: whatever takes an object of each does not fit. */
const pointsPath = join(scratchFolder, 'points.csv');
await pipeline(Readable.from(points()), createWriteStream(pointsPath));

function* points() {
  yield 'lon,lat\n';
  for (let i = 0; i < 700; i++) {
    let text = '';
    for (let k = 0; k < 1000; k++)
      text += `${(Math.sin(i * 1000 + k) * 170).toFixed(6)},${(Math.cos(k * 1.7) * 80).toFixed(6)}\n`;
    yield text;
  }
}

function* lines() {
  for (let i = 0; i < 60; i++) {
    let text = '';
    for (let k = 0; k < 1000; k++) {
      const [lon, lat] = [Math.sin(i * 1000 + k) * 170, Math.cos(k * 1.7) * 80];
      const coordinates = Array.from({ length: 24 }, (_, n) => [
        lon + Math.sin(n * k) / 10,
        lat + Math.cos(n) / 10,
      ]);
      text += `{"type":"Feature","properties":{"name":"number ${k}"},"geometry":{"type":"LineString","coordinates":${JSON.stringify(coordinates)}}}\n`;
    }
    yield text;
  }
}

for (const [name, input, options] of [
  ['TilesVector', linesPath, { tiling: { maxZoom: 4 } }],
  ['ConvertVector', linesPath, {}],
  ['ConvertVector', pointsPath, {}],
  ['Inspect', linesPath, {}],
  ['Inspect', pointsPath, {}],
] as const)
  test(`${name} with its default options needs no more than 256 MB for ${basename(input)}`, async () => {
    const child = await startJobProcess({ scratchFolder, memoryMegabytes: 256 });
    const path = join(child.folders.inputs, basename(input));
    await link(input, path);
    const { size } = await stat(path);
    const folders = { outputFolder: child.folders.output, scratchFolder: child.folders.scratch };
    const start = { ...folders, name, options, readsRanges: false, isVerbose: false };
    try {
      const result = await child.run(
        { ...start, inputs: [{ path, name: basename(input), size }] },
        () => {},
        new AbortController().signal,
      );
      assert.ok(result.datasource ?? result.report);
    } finally {
      await child.end();
    }
  });
