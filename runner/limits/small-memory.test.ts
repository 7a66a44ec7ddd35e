import assert from 'node:assert/strict';
import { createWriteStream } from 'node:fs';
import { link, mkdtemp, realpath, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { test } from 'node:test';
import { afterFile } from '../../checks/clean-up.ts';
import { startJobProcess } from '../job-process.ts';

const scratchFolder = await realpath(await mkdtemp(join(tmpdir(), 'platen-small-memory-')));
afterFile(() => rm(scratchFolder, { recursive: true, force: true }));

/** 60 MB of lines, which take 70 MB as records. */
const input = join(scratchFolder, 'lines.geojsonl');
await pipeline(Readable.from(lines()), createWriteStream(input));

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

for (const [name, options] of [
  ['TilesVector', { tiling: { maxZoom: 4 } }],
  ['ConvertVector', {}],
  ['Inspect', {}],
] as const)
  test(`${name} with its default options needs no more than 256 MB`, async () => {
    const child = await startJobProcess({ scratchFolder, memoryMegabytes: 256 });
    const path = join(child.folders.inputs, 'lines.geojsonl');
    await link(input, path);
    const { size } = await stat(path);
    const folders = { outputFolder: child.folders.output, scratchFolder: child.folders.scratch };
    const start = { ...folders, name, options, readsRanges: false, isVerbose: false };
    try {
      const result = await child.run(
        { ...start, inputs: [{ path, name: 'lines.geojsonl', size }] },
        () => {},
        new AbortController().signal,
      );
      assert.ok(result.datasource ?? result.report);
    } finally {
      await child.end();
    }
  });
