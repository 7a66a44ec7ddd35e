import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { after, test } from 'node:test';

const root = await mkdtemp(join(tmpdir(), 'platen-resume-'));
after(() => rm(root, { recursive: true }));

/** Runs the job in a process of its own, which tells each step on a line. */
const program = `
  import { runTilesVector } from ${JSON.stringify(new URL('run.ts', import.meta.url).href)};
  const [path = '', size = 0, folder = '', memoryMegabytes = 0] = process.argv.slice(2);
  const tell = (line: unknown) => console.log(JSON.stringify(line));
  await runTilesVector({ tiling: { maxZoom: 9 }, processing: { memoryMegabytes: +memoryMegabytes, whenTooLarge: 'keep' } }, {
    inputs: [{ path, name: 'data.geojsonl', size: +size }],
    outputFolder: folder + '/output',
    scratchFolder: folder + '/scratch',
    signal: new AbortController().signal,
    progress: (phase, done, total) => tell({ phase, share: done / total }),
    log: (level, message, data) => tell({ log: data }),
    warn: () => {},
  });
`;

const programPath = join(root, 'job.mts');
await writeFile(programPath, program);

interface Line {
  readonly phase?: string;
  readonly share?: number;
  readonly log?: { readonly phase: string; readonly resumed?: boolean | number };
}

async function run(
  input: string,
  folder: string,
  memoryMegabytes: number,
  dieAt?: (line: Line) => boolean,
): Promise<Line[]> {
  const { size } = await stat(input);
  const args = [programPath, input, String(size), folder, String(memoryMegabytes)];
  const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'inherit'] });
  const exit = once(child, 'exit');
  const lines: Line[] = [];
  for await (const text of createInterface({ input: child.stdout })) {
    const line = JSON.parse(text) as Line;
    lines.push(line);
    if (dieAt?.(line) === true) child.kill('SIGKILL');
  }
  await exit;
  return lines;
}

async function folderFor(name: string): Promise<string> {
  for (const part of ['output', 'scratch']) await mkdir(join(root, name, part), { recursive: true });
  return join(root, name);
}

const resumed = (lines: readonly Line[], phase: string) =>
  lines.find(({ log }) => log?.phase === phase)?.log?.resumed;

test('a job whose process was killed goes on where it stood, and makes the same archive', async () => {
  const input = join(root, 'data.geojsonl');
  const lines = Array.from({ length: 30_000 }, (_, i) => {
    const lon = Math.sin(i) * 170;
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
  assert.equal(resumed(all, 'read'), false);
  const wanted = await readFile(join(whole, 'output/tiles.pmtiles'));

  const folder = await folderFor('killed');
  await run(input, folder, 34, ({ phase }) => phase === 'sort');
  const second = await run(input, folder, 34, ({ phase, share }) => phase === 'cut' && share! > 0.4);
  assert.equal(resumed(second, 'read'), true, 'what was read is not read again');
  const third = await run(input, folder, 34);
  assert.equal(resumed(third, 'sort'), true, 'what was sorted is not sorted again');
  assert.ok((resumed(third, 'cut') as number) > 0, 'units that were cut are not cut again');
  const resumedArchive = await readFile(join(folder, 'output/tiles.pmtiles'));
  assert.ok(resumedArchive.equals(wanted));
});
