import assert from 'node:assert/strict';
import { mkdtemp, open, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { afterFile } from '../../checks/clean-up.ts';
import { testContext } from '../testing-context.ts';
import { readManifest } from './manifest.ts';

const outputFolder = await mkdtemp(join(tmpdir(), 'platen-manifest-'));
afterFile(() => rm(outputFolder, { recursive: true }));

test('a job that reads in ranges fetches a manifest of any size', async () => {
  const content = { text: 'x'.repeat(20 * 2 ** 20) };
  const context = testContext({});
  const bytes = Buffer.from(JSON.stringify(content));
  const path = join(outputFolder, 'fetched.json');
  const copy = await open(path, 'w');
  const inputRanges = {
    async fetch({ input, offset, length }: { input: number; offset: number; length: number }) {
      assert.equal(input, 3);
      await copy.write(bytes, offset, length, offset);
      return { path, size: bytes.length, isWhole: false };
    },
    list: async () => [],
  };
  const manifest = { path, name: 'large.json', size: bytes.length, index: 3 };
  const former = { manifest, results: [] };
  assert.deepEqual(await readManifest({ ...context, former, inputRanges }), content);
  assert.equal(await readManifest(context), undefined);
  await copy.close();
});
