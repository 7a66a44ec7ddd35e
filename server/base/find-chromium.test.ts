import assert from 'node:assert/strict';
import { test } from 'node:test';
import { findChromium } from './find-chromium.ts';

test('a browser renders pictures only if it is there, and never if it is switched off', () => {
  assert.equal(findChromium('off'), undefined);
  assert.equal(findChromium(process.execPath), process.execPath);
  assert.throws(
    () => findChromium('/no/such/browser'),
    /PLATEN_CHROMIUM must be off or the path .*\/no\/such\/browser/,
  );
});
