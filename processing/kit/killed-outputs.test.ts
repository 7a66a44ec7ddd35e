import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { packMember } from '@platen/formats/zip/pack-member';
import { afterFile } from '../../checks/clean-up.ts';
import { openCheckpoint } from './checkpoint.ts';
import { openOutputSink, type SinkProgress } from './output-sink.ts';
import { units } from './testing-writer.ts';

const root = mkdtempSync(join(tmpdir(), 'platen-killed-'));
afterFile(() => rmSync(root, { recursive: true }));
const program = join(import.meta.dirname, 'testing-writer.ts');
const kills = 4;

interface Attempt {
  readonly scratch: string;
  readonly output: string;
}

function foldersOf(name: string): Attempt {
  const attempt = { scratch: join(root, name, 'scratch'), output: join(root, name, 'output') };
  for (const folder of Object.values(attempt)) mkdirSync(folder, { recursive: true });
  return attempt;
}

/** @param killAt the process is killed a moment after it has written this unit. @returns the units that it wrote */
async function write(format: string, { scratch, output }: Attempt, killAt?: number): Promise<number[]> {
  const child = spawn(process.execPath, [program, format, scratch, output], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const gone = once(child, 'exit') as Promise<[number | null, string | null]>;
  const written: number[] = [];
  for await (const line of createInterface({ input: child.stdout })) {
    written.push(Number(line));
    if (Number(line) !== killAt) continue;
    await sleep(Math.random() * 4);
    child.kill('SIGKILL');
  }
  const [code, signal] = await gone;
  assert.ok(code === 0 || signal === 'SIGKILL', `it ended with ${code}`);
  return written;
}

function filesIn(folder: string): Map<string, string> {
  const entries = readdirSync(folder, { recursive: true, withFileTypes: true });
  const files = entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name));
  return new Map(
    files.toSorted().map((path) => [path.slice(folder.length), readFileSync(path).toString('base64')]),
  );
}

for (const format of ['3tz', 'folder', 'pmtiles'])
  test(`${format}: after ${kills} kills, the last while it is completed, the output is the same`, async () => {
    const whole = foldersOf(`${format}-whole`);
    await write(format, whole);
    let attempt = foldersOf(`${format}-0`);
    let lastSeen = -1;
    let isFinished = false;
    for (let kill = 1; kill <= kills; kill++) {
      // the last time while the output is being completed
      const killAt = Math.floor((units * kill) / kills) - 1;
      const [first = units] = await write(format, attempt, killAt);
      // the kill may come too late on a busy machine
      assert.ok(first > lastSeen || isFinished, `it continues with ${first} after ${lastSeen}`);
      isFinished = readdirSync(attempt.output).length > 0;
      lastSeen = killAt;
      const moved = foldersOf(`${format}-${kill}`);
      rmSync(moved.scratch, { recursive: true });
      renameSync(attempt.scratch, moved.scratch);
      attempt = moved;
    }
    await write(format, attempt);
    assert.deepEqual(filesIn(attempt.output), filesIn(whole.output));
  });

test('a folder that was just being finished is started over, as it may have been moved', () => {
  const { scratch, output } = foldersOf('finishing');
  const folder = join(scratch, 'job');
  const options = { format: 'folder', name: 'tiles', outputFolder: output, scratchFolder: folder } as const;
  const checkpoint = openCheckpoint<object, SinkProgress>(folder, 'a job');
  const sink = openOutputSink(options);
  sink.add(packMember('tileset.json', Buffer.from('{}'), 'stored'));
  checkpoint.append(sink.flush());
  // the move fails, which stands for the end of the process in the middle of it
  mkdirSync(join(output, 'tiles'));
  writeFileSync(join(output, 'tiles', 'other'), '');
  assert.throws(() => sink.finish(), { code: 'ENOTEMPTY' });
  assert.deepEqual(openCheckpoint<object, SinkProgress>(folder, 'a job').units, []);
});
