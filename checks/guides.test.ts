import assert from 'node:assert/strict';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { apply, copyRepository, patched, readGuides, runStep } from './testing-guides.ts';

const guides = readGuides();

test('every block of code in the guides is a file, a change of one, a part of one, or steps of a shell', () => {
  assert.ok(guides.flatMap(({ blocks }) => blocks).length > 15);
  for (const { path, blocks } of guides) {
    for (const { language, attributes, line } of blocks)
      assert.ok(language === 'sh' || attributes['file'] || attributes['in'], `${path}:${line}`);
  }
});

test('quotations in the guides match their files', async () => {
  for (const { path, blocks } of guides) {
    for (const { attributes, code, line } of blocks) {
      if (attributes['in'] === undefined) continue;
      const text = await readFile(attributes['in'], 'utf8');
      let at = 0;
      for (const part of code.split('\n').filter(Boolean)) {
        at = text.indexOf(part, at);
        assert.notEqual(at, -1, `${path}:${line}: ${part}`);
      }
    }
  }
});

test('followed to the letter, the guides lead to code whose types agree and whose tests pass', async (t) => {
  const root = await mkdtemp(join(tmpdir(), 'platen-guides-'));
  t.after(() => rm(root, { recursive: true, force: true }));
  await copyRepository(root);
  const steps = new Set<string>();
  for (const { path, blocks } of guides) {
    for (const block of blocks) {
      if (block.attributes['file'] !== undefined) {
        await apply(block, root).catch((error: Error) =>
          assert.fail(`${path}:${block.line}: ${error.message}`),
        );
      } else if (block.language === 'sh') {
        for (const step of block.code.trim().split('\n')) steps.add(step);
      }
    }
  }
  assert.ok(steps.size > 3);
  for (const step of steps) {
    await runStep(step, root).catch((error: Error & { stdout?: string }) =>
      assert.fail(`${step}\n${error.message}\n${error.stdout}`),
    );
  }
});

test('a diff in a guide inserts lines after those it names, and an unknown line is an error', () => {
  assert.equal(patched('a\nb\nc', '+0\n a\n-b\n+B\n c\n+d'), '0\na\nB\nc\nd');
  assert.throws(() => patched('a\nb', ' b\n a'), /no such line: a/);
});
