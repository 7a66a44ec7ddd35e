import assert from 'node:assert/strict';
import { once } from 'node:events';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { Worker } from 'node:worker_threads';
import { newFolder } from '../destinations/testing.ts';

/** What it has read, with little memory: where that is not enough the whole process would end. */
async function readWithLittle(publishFolder: string): Promise<unknown> {
  const script = `
    const { parentPort } = require('node:worker_threads');
    void (async () => {
      const { openFolder } = await import(${JSON.stringify(import.meta.resolve('../destinations/fs.ts'))});
      const { readRecords } = await import(${JSON.stringify(import.meta.resolve('./records.ts'))});
      const signal = new AbortController().signal;
      const target = { type: 'fs', folder: 'site' };
      const opening = { publishFolder: ${JSON.stringify(publishFolder)}, signal };
      const { damaged, manifest } = await readRecords(await openFolder(target, opening));
      parentPort.postMessage({ damaged, files: manifest.files.size });
    })();`;
  const worker = new Worker(script, { eval: true, resourceLimits: { maxOldGenerationSizeMb: 192 } });
  const [read] = (await once(worker, 'message')) as unknown[];
  await worker.terminate();
  return read;
}

test('a note that would take far more memory than its bytes is as good as none', async (t) => {
  const publishFolder = await newFolder((cleanUp) => t.after(cleanUp));
  await mkdir(join(publishFolder, 'site/.platen'), { recursive: true });
  const note = (rows: string) =>
    writeFile(
      join(publishFolder, 'site/.platen/manifest.json'),
      `{"platen":1,"files":[${rows}],"former":[]}`,
    );
  await note('["a/[1],{2},.txt","v",1],["b","v",2]');
  assert.deepEqual(await readWithLittle(publishFolder), { damaged: undefined, files: 2 });
  await note(`${'[],'.repeat(15_000_000)}[]`);
  assert.deepEqual(await readWithLittle(publishFolder), { damaged: 'manifest', files: 0 });
});
