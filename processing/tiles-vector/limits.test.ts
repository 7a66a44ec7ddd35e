import assert from 'node:assert/strict';
import { readdir, readFile } from 'node:fs/promises';
import { test } from 'node:test';
import { collection, feature, point, setUpTiler } from './testing-tiler.ts';

const { lastOutputFolder, run } = await setUpTiler();

test('a tile beyond the limit is thinned at its densest parts, or kept if the option says so, and named', async () => {
  const many = Array.from({ length: 400 }, (_, i) =>
    point((i % 20) / 10, i / 1000, { text: `${i}-${Math.sin(i)}` }),
  );
  const limits = { tiling: { maxZoom: 0 }, output: { tileLimitKilobytes: 1 } };
  const thinned = await run(collection(many), limits);
  const left = (await thinned.tile(0, 0, 0))['places']!.length;
  assert.ok(left > 5 && left < 100, String(left));
  const { dropped } = thinned.warnings.get('tileThinned')![0]!.example as { dropped: number };
  assert.equal(dropped + left, 400);
  const { warnings, tile } = await run(collection(many), { ...limits, processing: { whenTooLarge: 'keep' } });
  assert.equal((await tile(0, 0, 0))['places']!.length, 400);
  assert.deepEqual((warnings.get('tileTooLarge')![0]!.example as { tile: string }).tile, '0/0/0');
});

test('data larger than memory gives the same archive as data that fits', async () => {
  const features = Array.from({ length: 6000 }, (_, i) => {
    const lon = Math.sin(i) * 170;
    const lat = Math.cos(i * 1.7) * 80;
    const properties = { i, name: `number ${i % 100}` };
    if (i % 3 === 0) return point(lon, lat, properties, i);
    const path = Array.from({ length: 12 }, (__, k) => [
      lon + Math.sin(k * i) * (i % 50 === 0 ? 9 : 0.1),
      lat + Math.cos(k) * 0.1,
    ]);
    if (i % 3 === 1) return feature({ type: 'LineString', coordinates: path }, properties, i);
    return feature({ type: 'Polygon', coordinates: [[...path, path[0]]] }, properties, i);
  });
  const text = collection(features);
  const tiling = { maxZoom: 4 };
  const whole = await run(text, { tiling });
  // Below what the schema permits, so that little data is too much.
  const spilled = await run(text, { tiling, processing: { memoryMegabytes: 5 } });
  assert.deepEqual([whole.isSpilled, spilled.isSpilled], [false, true]);
  assert.deepEqual([...spilled.warnings.keys()], []);
  assert.ok((await readFile(spilled.path)).equals(await readFile(whole.path)));
});

test('a tile larger than memory is truncated, and a warning counts the missing features', async () => {
  const crowd = Array.from({ length: 9000 }, (_, i) => point(1, 1, { i, text: `person ${i}` }));
  const processing = { memoryMegabytes: 1, whenTooLarge: 'keep' } as const;
  const options = { tiling: { minZoom: 1, maxZoom: 2 }, processing };
  const { warnings, tile } = await run(collection(crowd), options);
  const kept = (await tile(2, 2, 1))['places']!.length;
  const truncated = warnings
    .get('tileTruncated')!
    .map(({ example }) => example as { tile: string; refused: number });
  assert.deepEqual(truncated.map((each) => each.tile).toSorted(), ['1/1/0', '2/2/1']);
  assert.ok(kept > 0);
  assert.equal(truncated.find((each) => each.tile === '2/2/1')!.refused, 9000 - kept);
});

test('an abort ends the job with its reason in any phase, and leaves no archive', async () => {
  const many = Array.from({ length: 20_000 }, (_, i) => point(Math.sin(i) * 170, Math.cos(i) * 80, { i }));
  const reason = new Error('no longer wanted');
  for (const phase of ['read', 'cut']) {
    const abort = new AbortController();
    const onPhase = (reached: string): void => {
      if (reached === phase) abort.abort(reason);
    };
    const running = run(collection(many), { tiling: { maxZoom: 12 } }, { signal: abort.signal, onPhase });
    const folder = lastOutputFolder();
    await assert.rejects(running, reason);
    assert.deepEqual(await readdir(folder), []);
  }
});
