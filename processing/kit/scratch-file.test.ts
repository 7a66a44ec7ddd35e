import assert from 'node:assert/strict';
import { existsSync, mkdtempSync, readdirSync, readlinkSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { readRange } from './scratch-file.ts';

const descriptors = '/proc/self/fd';

/** How often this process has a file open. */
function openTimes(path: string): number {
  return readdirSync(descriptors).filter((name) => {
    const link = join(descriptors, name);
    return existsSync(link) && readlinkSync(link) === path;
  }).length;
}

test('a range is closed with its last bytes, also if nobody asks for more, or for all', (t) => {
  const folder = mkdtempSync(join(tmpdir(), 'platen-range-'));
  t.after(() => rmSync(folder, { recursive: true }));
  const path = join(folder, 'numbers');
  const content = Buffer.alloc(3 << 20, 'abc');
  writeFileSync(path, content);
  const whole = readRange({ path, start: 5, end: content.length });
  const chunks = [whole.next().value!.length];
  if (existsSync(descriptors)) assert.equal(openTimes(path), 1);
  for (let left = content.length - 5 - chunks[0]!; left > 0; left -= chunks.at(-1)!)
    chunks.push(whole.next().value!.length);
  assert.equal(
    chunks.reduce((sum, length) => sum + length, 0),
    content.length - 5,
  );
  if (existsSync(descriptors)) assert.equal(openTimes(path), 0);
  assert.equal(whole.next().done, true);
  for (const chunk of readRange({ path, start: 0, end: content.length })) {
    assert.deepEqual(chunk.subarray(0, 3), Buffer.from('abc'));
    break;
  }
  if (existsSync(descriptors)) assert.equal(openTimes(path), 0);
});
