import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  appendFile,
  mkdir,
  mkdtemp,
  readdir,
  readFile,
  rename,
  rm,
  stat,
  truncate,
  writeFile,
} from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { test } from 'node:test';
import { afterFile } from '../../checks/clean-up.ts';

const root = await mkdtemp(join(tmpdir(), 'platen-resume-'));
afterFile(() => rm(root, { recursive: true }));

/** Runs the job in a process of its own, which prints each step on a line, and kills itself where it is told to. */
const program = `
  import { runTilesVector } from ${JSON.stringify(new URL('run.ts', import.meta.url).href)};
  const [path = '', size = 0, folder = '', memoryMegabytes = 0, lastPhase = '', lastShare = 0] = process.argv.slice(2);
  const print = (line: unknown) => console.log(JSON.stringify(line));
  await runTilesVector({ tiling: { maxZoom: 7, labels: { attribute: 'name', rankBy: [{ attribute: 'i' }] } }, processing: { memoryMegabytes: +memoryMegabytes, whenTooLarge: 'keep', tileLimitKilobytes: 100 } }, {
    inputs: [{ path, name: 'data.geojsonl', size: +size }],
    outputFolder: folder + '/output',
    scratchFolder: folder + '/scratch',
    signal: new AbortController().signal,
    progress: (phase, done, total) => {
      print({ phase, share: done / total });
      if (phase === lastPhase && done / total > +lastShare) process.kill(process.pid, 'SIGKILL');
    },
    log: (level, message, data) => print({ log: data }),
    warn: (code, message, example, times = 1) => print({ code, times }),
    reject: (code, message, feature, times = 1) => print({ code, times }),
  });
`;

const programPath = join(root, 'job.mts');
await writeFile(programPath, program);

interface Line {
  readonly phase?: string;
  readonly share?: number;
  readonly log?: { readonly phase: string; readonly resumed?: boolean | number };
  readonly code?: string;
  readonly times?: number;
}

async function run(
  input: string,
  folder: string,
  memoryMegabytes: number,
  killed?: { readonly in: 'sort' | 'cut'; readonly after: number },
): Promise<Line[]> {
  const { size } = await stat(input);
  const args = [programPath, input, size, folder, memoryMegabytes, killed?.in ?? '', killed?.after ?? 0];
  const child = spawn(process.execPath, args.map(String), { stdio: ['ignore', 'pipe', 'inherit'] });
  const exit = once(child, 'exit');
  const lines: Line[] = [];
  for await (const text of createInterface({ input: child.stdout })) lines.push(JSON.parse(text) as Line);
  await exit;
  return lines;
}

async function folderFor(name: string): Promise<string> {
  for (const part of ['output', 'scratch']) await mkdir(join(root, name, part), { recursive: true });
  return join(root, name);
}

/** What one after the other of these attempts has left, in the folder of the next. */
async function moveOn(from: string, name: string): Promise<string> {
  const to = await folderFor(name);
  await rename(join(from, 'scratch'), join(to, 'scratch'));
  return to;
}

/** How often each warning was told. */
function warned(lines: readonly Line[]): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const { code, times } of lines) if (code !== undefined) counts[code] = (counts[code] ?? 0) + times!;
  return counts;
}

const resumed = (lines: readonly Line[], phase: string) =>
  lines.find(({ log }) => log?.phase === phase)?.log?.resumed;

const input = join(root, 'data.geojsonl');
const lines = Array.from({ length: 8000 }, (_, i) => {
  const lon = i % 1000 === 0 ? 1000 : Math.sin(i) * 170; // some are nowhere
  const lat = Math.cos(i * 1.7) * 80;
  const coordinates = Array.from({ length: 12 }, (__, k) => [
    lon + Math.sin(k * i) * 0.4,
    lat + Math.cos(k) * 0.3,
  ]);
  const properties = { i, name: `number ${i % 100}` };
  return JSON.stringify({
    type: 'Feature',
    id: i,
    geometry: { type: 'LineString', coordinates },
    properties,
  });
});
await writeFile(input, lines.join('\n'));
const whole = await folderFor('whole');
const all = await run(input, whole, 1024);
const wanted = await readFile(join(whole, 'output/tiles.pmtiles'));

test('a job whose process was killed resumes in another folder, and makes the same archive with the same warnings', async () => {
  assert.equal(resumed(all, 'read'), false);
  const first = await folderFor('killed');
  await run(input, first, 12, { in: 'sort', after: -1 });
  const next = await moveOn(first, 'killed-2');
  const second = await run(input, next, 12, { in: 'cut', after: 0.4 });
  assert.equal(resumed(second, 'read'), true, 'what was read is not read again');
  const last = await moveOn(next, 'killed-3');
  const third = await run(input, last, 12);
  assert.equal(resumed(third, 'sort'), true, 'what was sorted is not sorted again');
  assert.ok((resumed(third, 'cut') as number) > 0, 'units that were cut are not cut again');
  const resumedArchive = await readFile(join(last, 'output/tiles.pmtiles'));
  assert.ok(resumedArchive.equals(wanted));
  assert.ok(warned(all)['invalidCoordinates']! > 0 && warned(all)['tileTooLarge']! > 0);
  assert.deepEqual(warned(third), warned(all));
});

test('files that a killed process had not finished are removed by the next', async () => {
  const folder = await folderFor('unfinished');
  const tiles = join(folder, 'scratch/tiles');
  const leftBy = async (attempt: number, what: string) =>
    (await readdir(tiles)).filter((name) => name.startsWith(`${what}-${attempt}-`)).length;
  await run(input, folder, 12, { in: 'sort', after: 0.3 });
  assert.ok((await leftBy(0, 'features')) > 0 && (await leftBy(0, 'parts')) > 0);
  await run(input, folder, 12, { in: 'sort', after: 0.3 });
  assert.ok((await leftBy(0, 'features')) > 0, 'what was read stays');
  assert.equal(await leftBy(0, 'parts'), 0);
});

test('half a note is passed over, and of files that are shorter than they were nothing is taken', async () => {
  const folder = await folderFor('damaged');
  const made = join(folder, 'scratch/tiles/checkpoint/units');
  await run(input, folder, 12, { in: 'cut', after: 0.3 });
  await appendFile(made, '\xe8\x03\0\0half a note'); // it says that it is longer
  const second = await run(input, folder, 12, { in: 'cut', after: 0.7 });
  assert.ok((resumed(second, 'sort') as boolean) && !(await readFile(made)).includes('half a note'));
  const names = await readdir(join(folder, 'scratch/tiles'));
  const tiles = names.find((name) => name.startsWith('made-1-') && name.endsWith('.tiles'))!;
  await truncate(join(folder, 'scratch/tiles', tiles), 1);
  const third = await run(input, folder, 12);
  assert.deepEqual([resumed(third, 'read'), resumed(third, 'cut')], [false, 0]);
  assert.ok((await readFile(join(folder, 'output/tiles.pmtiles'))).equals(wanted));
});
