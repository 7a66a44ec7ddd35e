import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  createSurfaceSet,
  endRing3d,
  endSurface3d,
  pushPosition3d,
} from '@platen/formats/city-object/surface-set';
import fc from 'fast-check';
import { drawnMesh } from '../tile/testing-drawn.ts';
import { representationsOf } from '../shape/coarser-shapes.ts';
import { meshGeometries } from '../shape/mesh-geometries.ts';
import type { Shape } from '../shape/shape.ts';
import { boxFaces } from '../testing-models.ts';
import type { TileFeature } from '../tile/tile-vertices.ts';
import { chooseCoarse, forTilesAbove } from './ladder.ts';

/** A tower of boxes, so that it has many triangles. */
function tower(levels: number, size: number): Shape {
  const surfaces = createSurfaceSet();
  for (let level = 0; level < levels; level++)
    for (const [, ring] of boxFaces([0, 0, level * 3], [size - level * 0.01, size, 3])) {
      for (const [x, y, z] of ring) pushPosition3d(surfaces, x, y, z);
      endRing3d(surfaces);
      endSurface3d(surfaces, 0);
    }
  const positions = surfaces.positions.slice(0, surfaces.positionCount * 3);
  const { mesh } = meshGeometries([{ part: 0, lod: 20, isSolid: true, surfaces }], [positions], [], {
    hasClosures: false,
    hasInteriors: false,
    lookOf: () => -1,
    isConstruction: true,
  });
  return {
    id: 'tower',
    class: 'Building',
    attributes: new Map(),
    place: { lon: 8, lat: 50, height: 0 },
    region: [8, 50, 8.001, 50.001, 0, 100],
    looks: [],
    representations: representationsOf(mesh, true),
    goneError: Math.hypot(size, size, levels * 3),
  };
}

test('a tower becomes a box whose error is known', () => {
  const { representations, goneError } = tower(10, 8);
  assert.equal(representations[0]!.triangles, 120);
  const coarsest = representations.at(-1)!;
  assert.equal(coarsest.triangles, 10);
  assert.ok(coarsest.error > 0 && coarsest.error < goneError);
});

/** What the tiles above get. */
function handedUp({ shape, representation }: TileFeature): Shape {
  return {
    ...shape,
    representations: shape.representations.slice(shape.representations.indexOf(representation)),
  };
}

test('a coarse tile keeps its budget, and its error is that of what it draws and leaves out', () => {
  const towers = fc.array(fc.tuple(fc.integer({ min: 1, max: 12 }), fc.integer({ min: 2, max: 40 })), {
    minLength: 1,
    maxLength: 12,
  });
  fc.assert(
    fc.property(
      towers,
      fc.integer({ min: 10, max: 800 }),
      fc.double({ min: 0, max: 20, noNaN: true }),
      (all, triangles, minError) => {
        const shapes = all.map(([levels, size]) => tower(levels, size));
        const { error, features } = chooseCoarse(shapes, minError, {
          triangles,
          features: 65_535,
          texels: 1e6,
        });
        assert.ok(error >= minError);
        for (const { representation } of features)
          assert.equal(drawnMesh(representation).indices.length / 3, representation.triangles);
        assert.ok(
          features.reduce((sum, { representation }) => sum + representation.triangles, 0) <= triangles,
        );
        const drawn = new Set(features.map(({ shape }) => shape));
        for (const { representation } of features) assert.ok(representation.error <= error);
        for (const shape of shapes) if (!drawn.has(shape)) assert.ok(shape.goneError <= error);
        // what is handed up can be drawn with a larger error
        const above = chooseCoarse(features.map(handedUp), error, {
          triangles: 10,
          features: 65_535,
          texels: 1e6,
        });
        assert.ok(above.error >= error && above.features.length <= 1);
      },
    ),
  );
});

test('faces that stand for textured ones get their mean colour', () => {
  const shape = tower(10, 8);
  const tinted = forTilesAbove({ shape, representation: shape.representations.at(-1)! }, [0.5, 0.25, 0]);
  assert.equal(tinted.representations.length, 1);
  const [look] = drawnMesh(tinted.representations[0]!).looks;
  assert.deepEqual(tinted.looks[look!], { colour: [0.5, 0.25, 0, 1] });
});
