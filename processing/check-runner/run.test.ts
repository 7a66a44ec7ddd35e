import assert from 'node:assert/strict';
import { test } from 'node:test';
import { runCheckRunner } from './run.ts';
import { testContext } from '../testing-context.ts';

test('the report lists the environment and its limits, and warns of an open network', async () => {
  const codes: string[] = [];
  const limits = { memoryMegabytes: 512, cpuSeconds: 7 };
  const context = testContext({ limits, warn: (code) => void codes.push(code) });
  const { report } = await runCheckRunner({}, context);
  assert.deepEqual(
    [report?.['memoryMegabytes'], report?.['cpuSeconds'], report?.['node'], report?.['networkIsClosed']],
    [512, 7, process.versions.node, false],
  );
  assert.ok((report?.['scratchFreeBytes'] as number) > 0);
  assert.deepEqual(codes, ['networkIsOpen']);
});

test('the run writes the lines, reports progress, and fails with the requested code', async () => {
  const lines: string[] = [];
  const done: number[] = [];
  const context = testContext({
    log: (_level, message) => void lines.push(message),
    progress: (_phase, now) => void done.push(now),
  });
  const began = performance.now();
  await assert.rejects(runCheckRunner({ seconds: 0.5, lines: 1001, fail: 'asIAsked' }, context), {
    name: 'JobFailure',
    code: 'asIAsked',
  });
  assert.ok(performance.now() - began >= 500);
  assert.deepEqual([lines.length, lines.at(-1)], [1002, 'Line 1001 of 1001.']);
  assert.deepEqual([done.toSorted((a, b) => a - b), done.at(-1)], [done, 0.5]);
});
