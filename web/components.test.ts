// A test of the interface.

import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { globSync } from 'node:fs';
import { text } from 'node:stream/consumers';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { findChromium, howToGetIt } from '../e2e/chromium.ts';

const chromium = findChromium();
const skip = chromium === undefined && howToGetIt;
const repository = fileURLToPath(new URL('..', import.meta.url));

test('components do in a browser what they are for', { skip, timeout: 240_000 }, async (t) => {
  const files = globSync('web/**/*.component.ts', { cwd: repository, exclude: ['web/node_modules/**'] });
  assert.ok(files.length > 0);
  const vitest = fileURLToPath(new URL('../node_modules/vitest/vitest.mjs', import.meta.url));
  const child = spawn(
    process.execPath,
    [vitest, 'run', '--config', 'web/build/vitest.config.ts', '--configLoader', 'native'],
    { cwd: repository, env: { ...process.env, PLATEN_CHROMIUM: chromium!, NO_COLOR: '1' } },
  );
  const closed = once(child, 'close');
  const [output, wrong] = await Promise.all([text(child.stdout), text(child.stderr)]);
  const [code] = (await closed) as [number | null];
  for (const line of output.split('\n').filter((one) => /^\s*(✓|×)|Tests /.test(one)))
    t.diagnostic(line.trim());
  assert.equal(code, 0, `${output}\n${wrong}`);
  assert.match(output, /Tests\s+\d+ passed/);
});
