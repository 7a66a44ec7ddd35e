import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import type { IndexedShape } from '../shape/shape-index.ts';
import { rangesOf } from '../shape/shape-runs.ts';
import { planTree, type PlannedTile } from './plan-tree.ts';

const features = 20;

/** A house at a place of a grid, with as many triangles as its budget has room for in so many houses. */
const shapeAt = (
  [column, row]: readonly [number, number],
  number: number,
  triangles: number,
): IndexedShape => {
  const [lon, lat] = [8 + column * 1e-3, 50 + row * 1e-3];
  const range = { path: 'shapes', start: number * 8, end: number * 8 + 8 };
  const region = [lon, lat, lon, lat, 0, 1] as const;
  return { lon, lat, region, triangles, texturedMetres: 0, range, idHash: number, contentHash: number };
};

test('each shape is in one leaf, and tiles above others are where these have too many triangles for one', () => {
  const places = fc.array(fc.tuple(fc.nat(60), fc.nat(60)), { minLength: 1, maxLength: 200 });
  fc.assert(
    fc.property(places, fc.integer({ min: 1, max: 40 }), (all, triangles) => {
      const budget = { triangles: 1000, features, texturedMetres: Infinity };
      const root = planTree(all.map((place, i) => shapeAt(place, i, triangles)), budget); // prettier-ignore
      const names = new Set<string>();
      /** @returns the number of shapes beneath */
      const visit = (tile: PlannedTile): number[] => {
        assert.ok(!names.has(tile.name), tile.name);
        names.add(tile.name);
        const own = rangesOf(tile.shapes).map(({ start }) => start / 8);
        assert.ok(
          own.length <= Math.max(1, features) && (own.length === 1 || own.length * triangles <= 1000),
        );
        const numbers = [...own, ...tile.children.flatMap(visit)];
        if (tile !== root && tile.children.length > 0)
          assert.ok(numbers.length * triangles > 1000, 'it shows what its children do');
        assert.ok(tile.children.length !== 1 && (tile.children.length === 0) === own.length > 0);
        return numbers;
      };
      assert.deepEqual(visit(root).toSorted((a, b) => a - b), [...all.keys()]); // prettier-ignore
    }),
    { numRuns: 100 },
  );
});

test('no more levels than asked for are below the root, and each shape is still in one leaf', () => {
  const all = Array.from({ length: 3000 }, (_, i) => shapeAt([i % 60, Math.floor(i / 60)], i, 30));
  const planOf = (maxLevels?: number) =>
    planTree(all, { triangles: 1000, features, texturedMetres: Infinity, ...(maxLevels && { maxLevels }) });
  const heightOf = ({ children }: PlannedTile): number => Math.max(-1, ...children.map(heightOf)) + 1;
  const leavesOf = (tile: PlannedTile): PlannedTile[] =>
    tile.children.length === 0 ? [tile] : tile.children.flatMap(leavesOf);
  const namesOf = (root: PlannedTile) => leavesOf(root).map(({ name }) => name);
  const whole = planOf();
  assert.ok(heightOf(whole) > 3);
  for (const levels of [1, 2, 3]) {
    const limited = planOf(levels);
    assert.equal(heightOf(limited), levels);
    assert.deepEqual(namesOf(limited), namesOf(whole));
  }
});
