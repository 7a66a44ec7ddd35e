import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { test } from 'node:test';
import { makeTestFolder } from '../testing-folder.ts';
import { openTextWindow } from './text-window.ts';

const { newPath } = makeTestFolder('.csv');
const text = 'a line with an é and a 😀 in it\n'.repeat(200_000);

for (const utf16 of [undefined, 'utf-16le'])
  test(`text in ${utf16 ?? 'utf-8'} is read through one buffer, whatever is kept of it between two reads`, () => {
    const path = newPath();
    const bytes = Buffer.from(text, utf16 === undefined ? 'utf8' : 'utf16le');
    writeFileSync(path, bytes);
    const window = openTextWindow(path, { start: 0, end: bytes.length, utf16 });
    const buffers = new Set<ArrayBufferLike>();
    let read = '';
    let kept = 0;
    while (!window.ended || window.at < window.end) {
      window.fill();
      buffers.add(window.bytes.buffer);
      assert.equal(window.passed, Buffer.byteLength(read));
      // as much as ten lines are left for the next time, as when a row is not complete
      const end = window.ended ? window.end : window.bytes.lastIndexOf(10, window.end - 1 - kept) + 1;
      read += window.bytes.toString('utf8', window.at, end);
      window.at = end;
      kept = (kept + 100) % 400;
    }
    window.close();
    assert.ok(read === text);
    // one grows into another, as the first was too small for what is kept
    assert.ok(buffers.size <= 3, `${buffers.size} buffers`);
  });
