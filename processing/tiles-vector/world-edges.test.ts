import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type VectorTileFeature } from '@mapbox/vector-tile';
import { collection, feature, point, setUpTiler } from './testing-tiler.ts';

const { run } = await setUpTiler();

const xs = (features: VectorTileFeature[] | undefined): number[] =>
  (features ?? []).flatMap((each) => each.loadGeometry().flat()).map(({ x }) => x);

test('geometry beyond 180° continues on the other side', async () => {
  const line = feature({
    type: 'LineString',
    coordinates: [
      [170, 10],
      [190, 10],
    ],
  });
  const { tile } = await run(collection([line]), { tiling: { maxZoom: 2, buffer: 0 } });
  assert.deepEqual(xs((await tile(2, 3, 1))['places']).at(-1), 4096);
  assert.deepEqual(xs((await tile(2, 0, 1))['places'])[0], 0);
  assert.deepEqual(await tile(2, 1, 1), {});
});

test('buffers are filled across the antimeridian', async () => {
  const cut = feature({
    type: 'MultiPolygon',
    coordinates: [
      [
        [
          [170, 0],
          [180, 0],
          [180, 10],
          [170, 10],
          [170, 0],
        ],
      ],
      [
        [
          [-180, 0],
          [-170, 0],
          [-170, 10],
          [-180, 10],
          [-180, 0],
        ],
      ],
    ],
  });
  const { tile } = await run(collection([cut]), { tiling: { maxZoom: 3, buffer: 64 } });
  assert.equal(Math.min(...xs((await tile(3, 0, 3))['places'])), -64);
  assert.equal(Math.max(...xs((await tile(3, 7, 3))['places'])), 4160);
});

test('an edge from 179° to -179° runs around the world as in RFC 7946, with a warning, or the short way if the option says so', async () => {
  const ring = feature({
    type: 'Polygon',
    coordinates: [
      [
        [179, 0],
        [-179, 0],
        [-179, 1],
        [179, 1],
        [179, 0],
      ],
    ],
  });
  const given = await run(collection([ring]), { tiling: { maxZoom: 2 } });
  assert.ok(((await given.tile(2, 1, 1))['places'] ?? []).length > 0);
  assert.equal(given.warnings.get('longEdges')?.length, 1);
  const short = await run(collection([ring]), {
    tiling: { maxZoom: 2 },
    processing: { antimeridian: 'shortest' },
  });
  assert.deepEqual(await short.tile(2, 1, 1), {});
  assert.ok((await short.tile(2, 0, 1))['places']);
  assert.ok((await short.tile(2, 3, 1))['places']);
  assert.equal(short.warnings.has('longEdges'), false);
});

test('a polygon down to the pole fills the map to its lower edge, and a point at the pole is on the upper edge', async () => {
  const south = feature({
    type: 'Polygon',
    coordinates: [
      [
        [-180, -90],
        [180, -90],
        [180, -70],
        [-180, -70],
        [-180, -90],
      ],
    ],
  });
  const { tile, warnings } = await run(collection([south, point(0, 90)]), {
    tiling: { maxZoom: 3, buffer: 0 },
  });
  for (let x = 0; x < 8; x++) {
    const ring = (await tile(3, x, 7))['places']![0]!.loadGeometry()[0]!;
    assert.deepEqual(
      [
        Math.max(...ring.map((p) => p.y)),
        Math.min(...ring.map((p) => p.x)),
        Math.max(...ring.map((p) => p.x)),
      ],
      [4096, 0, 4096],
    );
  }
  assert.equal((await tile(3, 4, 0))['places']![0]!.loadGeometry()[0]![0]!.y, 0);
  assert.equal(warnings.get('beyondMercator')?.length, 1);
});
