import { execFileSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { run } from '../runner/publish/testing.ts';
import { startTestService, type TestFile } from '../runner/publish/testing-service.ts';
import { median } from './load.ts';
import { print } from './report.ts';

const count = Number(process.env['BENCH_FILES'] ?? 5_000);
const bytesOfEach = 4_096;
const rounds = 3;

/** A bundle of many small files to a folder of the disk, beside `cp -r` of the same, and runs in which nothing has changed. */
export async function benchPublish(): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'platen-bench-publish-'));
  const source = join(folder, 'source');
  const files = new Map<string, TestFile>();
  for (let n = 0; n < count; n++)
    files.set(`tiles/${n % 50}/${n}.pbf`, { bytes: randomBytes(bytesOfEach), version: `version-${n}` });
  for (const [path, { bytes }] of files) {
    await mkdir(dirname(join(source, path)), { recursive: true });
    await writeFile(join(source, path), bytes);
  }
  const service = await startTestService({ type: 'fs', folder: 'to' });
  Object.assign(service, { files, numThreads: 8 });
  const seconds = async (work: () => unknown): Promise<number> => {
    const from = performance.now();
    await work();
    return (performance.now() - from) / 1000;
  };
  const times = {
    copy: [] as number[],
    synced: [] as number[],
    first: [] as number[],
    again: [] as number[],
  };
  try {
    for (let round = 0; round < rounds; round++) {
      const to = join(folder, `copy-${round}`);
      times.copy.push(await seconds(() => execFileSync('cp', ['-r', source, to])));
      const synced = join(folder, `synced-${round}`);
      times.synced.push(
        await seconds(() => {
          execFileSync('cp', ['-r', source, synced]);
          execFileSync('sync', ['-f', synced]);
        }),
      );
      service.target = { type: 'fs', folder: `to-${round}` };
      const publish = async () => {
        await run(service, { publishFolder: folder });
        if (service.heard.end?.how !== 'complete') throw new Error(JSON.stringify(service.heard.end));
      };
      times.first.push(await seconds(publish));
      times.again.push(await seconds(publish));
    }
  } finally {
    await service.stop();
    await rm(folder, { recursive: true, force: true });
  }
  const [copy, synced, first, again] = [times.copy, times.synced, times.first, times.again].map(median);
  print(
    `${count} files of ${bytesOfEach} bytes: cp -r ${copy!.toFixed(2)} s, and on the disk ${synced!.toFixed(2)} s; published, over HTTP and each on the disk, ${first!.toFixed(2)} s; again ${again!.toFixed(2)} s`,
  );
  print(`→ published / cp -r: ${(first! / copy!).toFixed(1)} times as long`);
  print(`→ nothing has changed / all is new: ${(again! / first!).toFixed(3)}`);
}
