import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createFeatureSamples } from './feature-samples.ts';
import { samplePoints } from './point-cloud/sample-points.ts';

test('layers share two MiB: the largest loses features first, and the report says so', () => {
  const samples = createFeatureSamples();
  const sizes = { small: [10, 20], large: [900, 450 * 40] } as const;
  for (const [layer, [count, length]] of Object.entries(sizes)) {
    const sampler = samples.start();
    const texts = Object.fromEntries(
      Array.from({ length: Math.ceil(length / 450) }, (_, i) => [`t${i}`, 'ä'.repeat(Math.min(450, length))]),
    );
    for (let n = 0; n < count; n++) sampler.add({ n, ...texts }, undefined);
    samples.keep(layer, sampler, true);
  }
  const other = samples.start();
  other.add({}, undefined);
  samples.keep('none of the report', other, true);
  const [small, large, ...rest] = samples.list(['small', 'large']);
  assert.deepEqual([small!.layer, small!.isWhole, small!.features.length], ['small', true, 10]);
  assert.equal(large!.isWhole, false);
  assert.ok(large!.features.length > 10 && large!.features.length < 100);
  assert.deepEqual(rest, []);
  assert.ok(Buffer.byteLength(JSON.stringify([small, large])) < (2 << 20) + 1000);
});

test('properties that no JSON has, and those that are long, become what a table can show', () => {
  const samples = createFeatureSamples();
  const sampler = samples.start();
  const nested = { deep: 'x'.repeat(3000) };
  sampler.add({ a: 5n, b: 2n ** 70n, c: undefined, d: Number.NaN, e: { f: [1] }, nested }, undefined);
  samples.keep('layer', sampler, true);
  const { properties } = samples.list(['layer'])[0]!.features[0] as {
    properties: Record<string, unknown>;
  };
  const { nested: shortened, ...others } = properties;
  assert.deepEqual(others, { a: 5, b: String(2n ** 70n), c: null, d: null, e: { f: [1] } });
  assert.equal((shortened as string).length, 500);
});

test('a point cloud yields a thousand points with heights, one without a position yields none', () => {
  const count = 5000;
  const seen = {
    count,
    places: Float64Array.from(
      { length: count * 3 },
      (_, i) => [500_000 + i / 3, 5_800_000, 35.1234567][i % 3]!,
    ),
    colours: undefined,
    intensities: new Uint16Array(count).fill(7),
    classes: new Map<number, number>(),
  };
  const pointsOf = (code: string | undefined) => {
    const samples = createFeatureSamples();
    const sampler = samples.start();
    samplePoints(seen, code, sampler);
    samples.keep('points', sampler, false);
    return samples.list(['points'])[0]?.features ?? [];
  };
  const points = pointsOf('EPSG:25832');
  assert.equal(points.length, 1000);
  const [first] = points as { geometry: { coordinates: number[] }; properties: object }[];
  const [lon, lat, z] = first!.geometry.coordinates;
  assert.deepEqual([lon, Math.floor(lat!), z, first!.properties], [9, 52, 35.123, { intensity: 7 }]);
  assert.deepEqual(pointsOf(undefined), []);
});
