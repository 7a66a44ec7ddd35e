// node bench/terrain-job.ts <input> <folder> <workers>: the terrain job in a process of its own, which bench/terrain.ts watches
import { mkdirSync, statSync } from 'node:fs';
import { basename } from 'node:path';
import { runTilesTerrain } from '@platen/processing/tiles-terrain/run';

const [path = '', folder = '', workers = '1'] = process.argv.slice(2);
const [outputFolder, scratchFolder] = [`${folder}/output`, `${folder}/scratch`];
for (const one of [outputFolder, scratchFolder]) mkdirSync(one, { recursive: true });
const input = { path, name: basename(path), size: statSync(path).size };
await runTilesTerrain(
  { processing: { workers: Number(workers) } },
  {
    inputs: [input],
    outputFolder,
    scratchFolder,
    signal: new AbortController().signal,
    progress: () => {},
    log: () => {},
    warn: () => {},
    reject: () => {},
  },
);
