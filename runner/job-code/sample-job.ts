import { mkdir, mkdtemp, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { ChildMessage, StartMessage } from '../messages.ts';

const jobType = 'TilesVector';

/**
 * Runs a small job in this process, by the messages that it would get from a runner.
 * @param runProgram runs the program of jobs, which then waits for its messages
 */
export async function runSampleJob(runProgram: () => void): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'platen-sample-'));
  const [outputFolder, scratchFolder] = [join(folder, 'output'), join(folder, 'scratch')];
  const path = join(folder, 'sample.geojson');
  try {
    for (const made of [outputFolder, scratchFolder]) await mkdir(made);
    await writeFile(path, JSON.stringify({ type: 'FeatureCollection', features: sampleFeatures() }));
    const ended = Promise.withResolvers<void>();
    process.send = (message: ChildMessage) => {
      // a job that fails has run, too; its tests say why
      if (message.type === 'result' || message.type === 'failed') ended.resolve();
      return true;
    };
    process.argv.splice(2, Infinity, jobType);
    runProgram();
    const start: StartMessage = {
      name: jobType,
      options: { input: { type: 'internal', dataBucketId: '', dataBucketKey: '' } },
      inputs: [{ path, name: 'sample.geojson', size: (await stat(path)).size }],
      outputFolder,
      scratchFolder,
      readsRanges: false,
      isVerbose: false,
      keepsScratch: false,
      limits: { memoryMegabytes: 1024 },
      geoidFolder: undefined,
    };
    process.emit('message', start, undefined);
    await ended.promise;
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** Points, lines and areas with attributes. */
function sampleFeatures(): object[] {
  return Array.from({ length: 60 }, (_, i) => {
    const [x, y] = [i * 5 - 150, (i % 7) * 15 - 45];
    const line = [
      [x, y],
      [x + 4, y + 3],
      [x + 6, y - 2],
    ];
    const geometry = [
      { type: 'Point', coordinates: [x, y] },
      { type: 'LineString', coordinates: line },
      { type: 'Polygon', coordinates: [[...line, [x, y]]] },
    ][i % 3]!;
    return { type: 'Feature', geometry, properties: { i, name: `Feature ${i}`, size: i / 3 } };
  });
}
