import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Context } from '../../../base/context.ts';
import { openWorlds } from '../../app-pages/world-tiles.ts';
import { createPainter } from './paint-app.ts';

test('maps are painted one at a time, also after one that could not be painted', async () => {
  let running = 0;
  const begun: string[] = [];
  const run = async ({ keepAs }: { keepAs: string }) => {
    assert.equal(running++, 0);
    begun.push(keepAs);
    await new Promise((resolve) => setImmediate(resolve));
    running--;
    if (keepAs === 'damaged') throw new Error('It is damaged.');
    return Buffer.from(keepAs);
  };
  const parsers = { run: (_: unknown, request: { keepAs: string }) => run(request) };
  const paint = createPainter({ parsers, store: {} } as unknown as Context, openWorlds());
  const view = { worldPixels: 1200, left: 0, top: 0 };
  const results = await Promise.allSettled(
    ['a', 'damaged', 'b'].map((keepAs) =>
      paint({ view, world: 'world-light', layers: [], projectId: 'p', keepAs }),
    ),
  );
  assert.deepEqual(begun, ['a', 'damaged', 'b']);
  assert.deepEqual(
    results.map(({ status }) => status),
    ['fulfilled', 'rejected', 'fulfilled'],
  );
});
