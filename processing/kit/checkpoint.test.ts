import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  appendFileSync,
  existsSync,
  readFileSync,
  renameSync,
  statSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterFile } from '../../checks/clean-up.ts';
import { identityOf, openCheckpoint } from './checkpoint.ts';
import type { FileRange } from './scratch-file.ts';

interface Values {
  readonly counts: ReadonlyMap<string, number>;
  readonly parts: readonly FileRange[];
}

interface Unit {
  readonly number: number;
  readonly tiles?: readonly (FileRange | undefined)[];
}

const root = await mkdtemp(join(tmpdir(), 'platen-checkpoint-'));
afterFile(() => rm(root, { recursive: true }));
const folderFor = (name: string) => join(root, name);
const open = (folder: string, identity = 'a job') => openCheckpoint<Values, Unit>(folder, identity);
const unitsIn = (folder: string) => join(folder, 'checkpoint', 'units');

function writePart(folder: string, name: string): FileRange {
  const path = join(folder, name);
  writeFileSync(path, 'ten bytes.');
  return { path, start: 2, end: 10 };
}

test('a later process gets the values and units, with the files at the place of its folder', () => {
  const folder = folderFor('first');
  const first = open(folder);
  assert.deepEqual([first.attempt, first.units, first.get('counts')], [0, [], undefined]);
  first.save('counts', new Map([['read', 1]]));
  first.save('counts', new Map([['read', 2]]));
  first.save('parts', [writePart(folder, 'parts-0')]);
  first.append({ number: 7, tiles: [undefined, writePart(folder, 'tiles-0')] });
  first.append({ number: 8 });
  const moved = folderFor('second');
  renameSync(folder, moved);
  const second = open(moved);
  assert.equal(second.attempt, 1);
  assert.deepEqual(second.get('counts'), new Map([['read', 2]]));
  assert.deepEqual(second.get('parts'), [{ path: join(moved, 'parts-0'), start: 2, end: 10 }]);
  const tile = { path: join(moved, 'tiles-0'), start: 2, end: 10 };
  assert.deepEqual(second.units, [{ number: 7, tiles: [undefined, tile] }, { number: 8 }]);
});

test('another job starts over in an empty folder', () => {
  const folder = folderFor('other');
  open(folder).save('parts', [writePart(folder, 'parts-0')]);
  const other = open(folder, 'another job');
  assert.deepEqual([other.attempt, other.get('parts')], [0, undefined]);
  assert.equal(existsSync(join(folder, 'parts-0')), false);
});

test('the identity changes with the version, the options and the inputs, but not with paths', () => {
  const of = (version: number, options: object, size: number, path: string) =>
    identityOf(version, options, { inputs: [{ path, name: 'a.tif', size }] });
  const identity = of(1, { zoom: 2 }, 10, '/one');
  assert.equal(of(1, { zoom: 2 }, 10, '/two'), identity);
  for (const other of [of(2, { zoom: 2 }, 10, '/one'), of(1, {}, 10, '/one'), of(1, { zoom: 2 }, 11, '/one')])
    assert.notEqual(other, identity);
});

test('files that no value and no unit refers to are removed', () => {
  const folder = folderFor('unfinished');
  const first = open(folder);
  first.append({ number: 1, tiles: [writePart(folder, 'tiles-0')] });
  writePart(folder, 'half-written-0');
  open(folder);
  assert.deepEqual(
    ['tiles-0', 'half-written-0'].map((name) => existsSync(join(folder, name))),
    [true, false],
  );
});

test('a unit is read whole or not at all, wherever its bytes end, and the next is appended to the whole ones', () => {
  const folder = folderFor('torn');
  const first = open(folder);
  first.append({ number: 1 });
  const whole = readFileSync(unitsIn(folder)).length;
  first.append({ number: 2 });
  const bytes = readFileSync(unitsIn(folder));
  for (let length = whole; length < bytes.length; length++) {
    writeFileSync(unitsIn(folder), bytes.subarray(0, length));
    const next = open(folder);
    assert.deepEqual(next.units, [{ number: 1 }]);
    next.append({ number: 3 });
    assert.deepEqual(open(folder).units, [{ number: 1 }, { number: 3 }]);
  }
  const damaged = Buffer.from(bytes);
  damaged[bytes.length - 1]! ^= 1;
  writeFileSync(unitsIn(folder), damaged);
  assert.deepEqual(open(folder).units, [{ number: 1 }]);
  appendFileSync(unitsIn(folder), Buffer.alloc(3));
  assert.deepEqual(open(folder).units, [{ number: 1 }]);
});

test('if a file is shorter than recorded, or a value is damaged, everything starts over', () => {
  const short = folderFor('short');
  const range = () => {
    const checkpoint = open(short);
    checkpoint.append({ number: 1, tiles: [writePart(short, 'tiles')] });
  };
  range();
  truncateSync(join(short, 'tiles'), 9);
  assert.deepEqual([open(short).attempt, open(short).units], [0, []]);
  const damaged = folderFor('damaged');
  open(damaged).save('counts', new Map());
  writeFileSync(join(damaged, 'checkpoint', 'counts.value'), 'no value');
  assert.equal(open(damaged).attempt, 0);
});

test('a process that is killed while it saves and appends leaves whole values and units in their order', async () => {
  const folder = folderFor('killed');
  const program = `
    import { openCheckpoint } from ${JSON.stringify(new URL('checkpoint.ts', import.meta.url).href)};
    const checkpoint = openCheckpoint(process.argv[1], 'a job');
    console.log('opened');
    for (let number = checkpoint.units.length; ; number++) {
      checkpoint.append({ number, text: 'x'.repeat(20_000) });
      checkpoint.save('counts', new Map([['read', number], ['text', 'x'.repeat(100_000)]]));
    }
  `;
  let before = 0;
  for (let kill = 0; kill < 3; kill++) {
    const args = ['--input-type=module', '--eval', program, folder];
    const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'inherit'] });
    await once(child.stdout, 'data');
    const isFar = () =>
      existsSync(unitsIn(folder)) && statSync(unitsIn(folder)).size > (before + 20) * 20_000;
    while (!isFar()) await sleep(1);
    child.kill('SIGKILL');
    await once(child, 'exit');
    const { units, get } = open(folder);
    assert.deepEqual(
      units.map(({ number }) => number),
      [...units.keys()],
    );
    assert.ok(units.length >= before + 19);
    const read = get('counts')!.get('read')!;
    assert.ok(read === units.length - 1 || read === units.length - 2, `${read} of ${units.length}`);
    before = units.length;
  }
});
