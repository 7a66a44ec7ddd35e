// A test of tiles.

import assert from 'node:assert/strict';
import { join } from 'node:path';
import { test } from 'node:test';
import { VectorTile } from '@mapbox/vector-tile';
import { PbfReader } from 'pbf';
import type { Vertices } from './testing-clipping.ts';
import {
  areNear,
  boxOf,
  cover,
  createRaster,
  coverNear,
  distanceToEdges,
  outerEdges,
  readWorldPolygons,
  type Edge,
} from './testing-coverage.ts';
import { examples, tileFiles, tilesOf } from './testing-tiling.ts';

const countries = join(examples, 'countries.geojson');
const maxZoom = 5;
const extent = 4096;
/** A tile is drawn on 256 pixels of 16 units, and looked at twice in each. */
const pixelUnits = 16;
const samples = 512;
const sampleUnits = extent / samples;

/** The rings of each feature, by its id, in each tile. */
type Tileset = ReadonlyMap<string, ReadonlyMap<number, Vertices[]>>;

async function tilesWith(buffer: number): Promise<Tileset> {
  const { bytes } = await tileFiles([countries], { tiling: { maxZoom, buffer } });
  const tiles = new Map<string, Map<number, Vertices[]>>();
  for (const tile of tilesOf(bytes)) {
    const rings = new Map<number, Vertices[]>();
    tiles.set(nameOf(tile.z, tile.x, tile.y), rings);
    const layer = new VectorTile(new PbfReader(tile.bytes)).layers['countries']!;
    for (let i = 0; i < layer.length; i++) {
      const feature = layer.feature(i);
      rings.set(feature.id!, [...(rings.get(feature.id!) ?? []), ...feature.loadGeometry()]);
    }
  }
  return tiles;
}

const nameOf = (z: number, x: number, y: number) => `${z}/${x}/${y}`;
const buffered = await tilesWith(16);
const world = (await readWorldPolygons(countries)).map((rings) => ({ rings, box: boxOf(rings[0]!) }));
const coast = outerEdges(world.map(({ rings }) => rings)).map(({ ax, ay, bx, by }) => {
  const edge = [
    { x: ax, y: ay },
    { x: bx, y: by },
  ] as const;
  return { edge, box: boxOf(edge) };
});

for (let z = 0; z <= maxZoom; z++) {
  test(`at zoom ${z} no gap between countries, and nothing beyond their coasts, is wider than a pixel`, (t) => {
    const wrong: string[] = [];
    let widest = 0;
    for (let x = 0; x < 2 ** z; x++) {
      for (let y = 0; y < 2 ** z; y++) {
        for (const { column, row, units } of differencesOf(z, x, y)) {
          widest = Math.max(widest, units);
          const place = `${nameOf(z, x, y)} at ${column * sampleUnits},${row * sampleUnits}`;
          if (units > pixelUnits) wrong.push(`${place}: ${units.toFixed(1)} units`);
        }
      }
    }
    t.diagnostic(`the widest gap: ${widest.toFixed(1)} units`);
    assert.deepEqual(wrong.slice(0, 20), [], `${wrong.length} places`);
  });
}

interface Difference {
  readonly column: number;
  readonly row: number;
  /** Width of a gap; infinite for areas beyond the coast. */
  readonly units: number;
}

/** Wherever a tile covers something else than the countries do, more than a pixel away from any coast. */
function differencesOf(z: number, x: number, y: number): Difference[] {
  const side = samples * 2 ** z;
  const fit = (at: Vertices[0]) => ({ x: at.x * side - x * samples, y: at.y * side - y * samples });
  const box = {
    minX: (x - 0.1) / 2 ** z,
    minY: (y - 0.1) / 2 ** z,
    maxX: (x + 1.1) / 2 ** z,
    maxY: (y + 1.1) / 2 ** z,
  };
  const polygons = world.filter((polygon) => areNear(polygon.box, box));
  const features = [...(buffered.get(nameOf(z, x, y))?.values() ?? [])].map((rings) =>
    rings.map((ring) => ring.map((at) => ({ x: at.x / sampleUnits, y: at.y / sampleUnits }))),
  );
  if (polygons.length + features.length === 0) return [];

  const [land, tile, nearCoast] = [createRaster(samples), createRaster(samples), createRaster(samples)];
  for (const { rings } of polygons)
    cover(
      land,
      rings.map((ring) => ring.map(fit)),
    );
  for (const rings of features) cover(tile, rings);
  for (const one of coast) {
    if (!areNear(one.box, box)) continue;
    const [from, to] = [fit(one.edge[0]), fit(one.edge[1])];
    coverNear(nearCoast, { ax: from.x, ay: from.y, bx: to.x, by: to.y }, pixelUnits / sampleUnits);
  }
  const borders = features.flat().flatMap(edgesOf);
  const found: Difference[] = [];
  for (let i = 0; i < land.cells.length; i++) {
    const isLand = land.cells[i];
    if (isLand === tile.cells[i] || nearCoast.cells[i] === 1) continue;
    const [column, row] = [i % samples, Math.floor(i / samples)];
    const across = isLand === 1 ? 2 * distanceToEdges(column + 0.5, row + 0.5, borders) : Infinity;
    found.push({ column, row, units: across * sampleUnits });
  }
  return found;
}

for (const buffer of [16, 0]) {
  test(`with a buffer of ${buffer}, neighbouring tiles agree along their common edge to one unit`, async () => {
    const tiles = buffer === 16 ? buffered : await tilesWith(buffer);
    let compared = 0;
    const wrong: string[] = [];
    for (let z = 1; z <= maxZoom; z++) {
      for (let x = 0; x < 2 ** z; x++) {
        for (let y = 0; y < 2 ** z; y++) {
          for (const axis of ['x', 'y'] as const) {
            const [before, after] = [
              nameOf(z, x, y),
              nameOf(z, x + Number(axis === 'x'), y + Number(axis === 'y')),
            ];
            const ids = new Set([...(tiles.get(before)?.keys() ?? []), ...(tiles.get(after)?.keys() ?? [])]);
            if (Math.max(x, y) + 1 === 2 ** z) continue;
            for (const id of ids) {
              compared++;
              const gap = widestDisagreement(tiles, { axis, before, after, id });
              if (gap > 1) wrong.push(`${before} and ${after}, country ${id}: ${gap.toFixed(1)} units`);
            }
          }
        }
      }
    }
    assert.ok(compared > 1000);
    assert.deepEqual(wrong.slice(0, 20), [], `${wrong.length} of ${compared}`);
  });
}

interface CommonEdge {
  readonly axis: 'x' | 'y';
  readonly before: string;
  readonly after: string;
  readonly id: number;
}

/**
 * Largest deviation of a border on the common edge where only one of the tiles covers it. Long ranges of a border
 * along the edge may be on one side only and yet differ by just a rounding error.
 */
function widestDisagreement(tiles: Tileset, { axis, before, after, id }: CommonEdge): number {
  const [one, other] = [tiles.get(before)?.get(id) ?? [], tiles.get(after)?.get(id) ?? []];
  const ends = [...endsOn(one, axis, extent, -1), ...endsOn(other, axis, 0, 1)].toSorted((a, b) => a - b);
  let widest = 0;
  for (let i = 0; i + 1 < ends.length; i += 2) {
    const middle = (ends[i]! + ends[i + 1]!) / 2;
    if (ends[i + 1]! - ends[i]! <= 1 || middle < 0 || middle > extent) continue;
    widest = Math.max(widest, Math.min(distanceToBorder(before, extent), distanceToBorder(after, 0)));

    function distanceToBorder(name: string, line: number): number {
      const rings = buffered.get(name)?.get(id) ?? [];
      const [x, y] = axis === 'x' ? [line, middle] : [middle, line];
      return distanceToEdges(x, y, rings.flatMap(edgesOf));
    }
  }
  return widest;
}

/** Unsorted start and end positions of covered ranges along a line, just beside it on the side given by `sign`. */
function endsOn(rings: readonly Vertices[], axis: 'x' | 'y', line: number, sign: 1 | -1): number[] {
  return rings.flatMap(edgesOf).flatMap(({ ax, ay, bx, by }) => {
    const [au, av, bu, bv] = axis === 'x' ? [ax, ay, bx, by] : [ay, ax, by, bx];
    if ((au - line) * sign > 0 === (bu - line) * sign > 0) return [];
    return [av + ((bv - av) * (line - au)) / (bu - au)];
  });
}

const edgesOf = (ring: Vertices): Edge[] =>
  ring.map(({ x, y }, i) => ({ ax: ring.at(i - 1)!.x, ay: ring.at(i - 1)!.y, bx: x, by: y }));
