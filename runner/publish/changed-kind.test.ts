import assert from 'node:assert/strict';
import { test, type TestContext } from 'node:test';
import { newFolder, onDisk } from '../destinations/testing.ts';
import { file, run } from './testing.ts';
import { startTestService, type TestFile } from './testing-service.ts';

async function setUp(t: TestContext) {
  const publishFolder = await newFolder((cleanUp) => t.after(cleanUp));
  const service = await startTestService({ type: 'fs', folder: 'site' });
  t.after(() => service.stop());
  const { everything } = onDisk(`${publishFolder}/site`);
  return {
    service,
    /** @returns the report, and what then lies there */
    async publish(...files: (string | [path: string, content: TestFile])[]) {
      service.files = new Map(
        files.map((each) => (typeof each === 'string' ? [each, file(`content of ${each}`)] : each)),
      );
      const lines = await run(service, { publishFolder });
      const { end } = service.heard;
      assert.equal(end?.how, 'complete', JSON.stringify([end, lines]));
      const there = (await everything()).filter((path) => !path.startsWith('.platen/'));
      return { report: end.body['report'] as Record<string, unknown>, there };
    },
  };
}

test('a file can be replaced by a folder, and a folder by a file', async (t) => {
  const { publish } = await setUp(t);
  await publish('a', 'b/c/1', 'b/c/2', 'b.txt', 'same/x');
  const { there, report } = await publish('a/b/c', 'b', 'b.txt', 'same/x');
  assert.deepEqual(there, ['a/b/c', 'b', 'b.txt', 'same/x']);
  assert.deepEqual([report['uploaded'], report['unchanged'], report['removed']], [2, 2, 3]);
  const back = ['a', 'b.txt', 'b/c/1', 'same/x'];
  assert.deepEqual((await publish(...back)).there, back);
  assert.equal((await publish(...back)).report['uploaded'], 0);
});

test('if the name of the packed form is too long, only the plain form is stored, and recognised the next time', async (t) => {
  const { service, publish } = await setUp(t);
  service.gzip = true;
  const script = file('let a = 1;'.repeat(500), { contentType: 'text/javascript' });
  const [longName, shorter] = [`${'n'.repeat(250)}.js`, `${'n'.repeat(249)}.js`];
  for (const uploaded of [2, 0]) {
    const { there, report } = await publish([longName, script], [shorter, script]);
    assert.deepEqual(there, [shorter, `${shorter}.gz`, longName].toSorted());
    assert.equal(report['uploaded'], uploaded);
  }
});
