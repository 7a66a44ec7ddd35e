import assert from 'node:assert/strict';
import { test } from 'node:test';
import { VectorTile, classifyRings } from '@mapbox/vector-tile';
import fc from 'fast-check';
import { PbfReader } from 'pbf';
import { assertValid, distanceTo, windingOf, type Ring } from '../clip/testing.ts';
import { polygonType } from '../shape/shape.ts';
import { worldBits } from '../tile/world-grid.ts';
import { extent, keys, recordOf, type Point } from './testing.ts';
import { createTileEncoder, type TileEncoder } from './tile-encoder.ts';

const tile = { x: 21, y: 13 };
const z = 5;
const unit = 2 ** (worldBits - 12 - z);
const maxZoom = 9;

const encoders = new Map<string, TileEncoder>();

/** Encoders are reused, as the tiler does: their buffers take longer to make than a tile. */
function encoderFor(buffer: number, highest: number): TileEncoder {
  const options = {
    extent,
    buffer,
    maxZoom: highest,
    dustLength: 3,
    dustArea: 16,
    repair: true,
    layers: ['test'],
    keys: keys.names,
    maxTileBytes: 1e6,
  };
  return encoders.getOrInsertComputed(`${buffer} ${highest}`, () => createTileEncoder(options));
}

/** The polygons of a tile, in its units, of rings that are given in them; a fraction is seen at higher zooms only. */
function polygonsAt(rings: readonly Ring[], buffer: number, highest = maxZoom): Ring[][] {
  const encoder = encoderFor(buffer, highest);
  const inWorld = rings.map((ring) =>
    ring.map(([x, y]): Point => [
      Math.round((tile.x * extent + x) * unit),
      Math.round((tile.y * extent + y) * unit),
    ]),
  );
  const { store, record, shape } = recordOf(polygonType, [inWorld]);
  encoder.begin(z, tile.x, tile.y);
  encoder.add(store, record, shape);
  const bytes = encoder.finish();
  if (bytes === undefined) return [];
  assert.equal(encoder.unrepaired, 0);
  const geometry = new VectorTile(new PbfReader(bytes)).layers['test']!.feature(0).loadGeometry();
  return classifyRings(geometry).map((polygon) =>
    polygon.map((ring) => ring.slice(0, -1).map(({ x, y }): Point => [x, y])),
  );
}

/** Narrow bays and necks, such as simplification closes and crosses. */
const coast = fc
  .array(fc.record({ out: fc.double({ min: 0, max: 1, noNaN: true }), fine: fc.boolean() }), {
    minLength: 8,
    maxLength: 90,
    size: 'max',
  })
  .map((steps) =>
    steps.map(({ out, fine }, i): Point => {
      const angle = ((i + (fine ? out * 3 : 0)) / steps.length) * 2 * Math.PI;
      const radius = 30 + out * (fine ? 6 : 60);
      return [Math.cos(angle) * radius, Math.sin(angle) * radius];
    }),
  );
const island = fc.record({
  outline: coast,
  size: fc.constantFrom(0.1, 0.4, 1, 30, 90),
  buffer: fc.constantFrom(0, 16),
  hole: fc.option(fc.double({ min: 0.2, max: 0.95, noNaN: true }), { nil: undefined }),
});

const placed = (outline: readonly Point[], size: number): Ring =>
  outline.map(([x, y]): Point => [2000 + x * size, 2100 + y * size]);

test('at every zoom the rings of polygons are valid, except where they run along the edge of the buffer', () => {
  fc.assert(
    fc.property(island, fc.constantFrom(z, maxZoom), ({ outline, size, buffer, hole }, highest) => {
      const rings = [placed(outline, size)];
      if (hole !== undefined) rings.push(placed(outline, size * hole));
      const frame = { low: -buffer, high: extent + buffer };
      for (const polygon of polygonsAt(rings, buffer, highest)) assertValid(polygon, { frame });
    }),
    { numRuns: 1500 },
  );
});

test('mending takes nothing away, and adds nothing, that is wider than a pixel', () => {
  fc.assert(
    fc.property(island, ({ outline, size, buffer }) => {
      const ring = placed(outline, size);
      const polygons = polygonsAt([ring], buffer);
      if (polygons.length === 0) return;
      // The first would be the very corner of the tile.
      for (let i = 1; i < 60; i++) {
        const x = ((i * 0.618_034) % 1) * extent;
        const y = ((i * 0.754_878) % 1) * extent;
        if (distanceTo([ring], x, y) < 16) continue;
        const isCovered = polygons.some(
          ([outer, ...holes]) =>
            [outer!, ...holes].reduce((sum, each) => sum + windingOf(each, x, y), 0) !== 0,
        );
        assert.equal(isCovered, windingOf(ring, x, y) !== 0);
      }
    }),
    { numRuns: 500 },
  );
});
