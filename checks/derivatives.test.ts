import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { derivatives } from './derivatives.ts';
import { derive } from './derived.ts';

for (const derivative of derivatives) {
  test(`${derivative.file} is what ${derivative.script} makes of the sources (npm run bless)`, async () => {
    const committed = readFileSync(derivative.file, 'utf8');
    assert.ok((await derive(derivative)) === committed, `${derivative.file} is out of date: npm run bless`);
  });
}
