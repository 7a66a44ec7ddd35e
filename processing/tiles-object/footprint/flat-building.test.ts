import assert from 'node:assert/strict';
import { test } from 'node:test';
import { surfaceRoles } from '@platen/formats/city-object/surface-roles';
import { findCrs } from '@platen/formats/crs/find-crs';
import { createGeometryBuffer, pushPosition } from '@platen/formats/feature/geometry-buffer';
import { openHeightTransform } from '@platen/formats/geoid/height-transform';
import fc from 'fast-check';
import { makeShapes } from '../shape/make-shapes.ts';
import { packShape } from '../shape/pack-shape.ts';
import { drawnMesh } from '../tile/testing-drawn.ts';
import type { Shape } from '../shape/shape.ts';
import { extrudeFootprints, footprintObject } from './extrude.ts';
import { shapesOfFlatBuilding, type FlatBuilding } from './flat-building.ts';

const options = {
  placing: {
    crs: findCrs('EPSG:4326'),
    heights: openHeightTransform({ metresPerUnit: 1, isDepth: false }, undefined),
    isFlat: false,
    offset: 0,
  },
  byPart: false,
  maxLod: Infinity,
  hasInteriors: false,
  hasClosures: false,
  findImage: () => undefined,
};

type Ring = readonly (readonly [x: number, y: number])[];

/** A building whose rings are in metres from a place. */
function buildingOf(rings: readonly Ring[], [lon, lat]: readonly [number, number]): FlatBuilding {
  const geometry = createGeometryBuffer();
  const placed = rings.map((ring) =>
    ring.map(([x, y]) => [lon + x / (111_320 * Math.cos((lat * Math.PI) / 180)), lat + y / 111_320] as const),
  );
  for (const ring of placed) {
    for (const [x, y] of [...ring, ring[0]!]) pushPosition(geometry, x, y);
    geometry.ringEnds.push(geometry.positionCount);
  }
  geometry.polygonEnds.push(rings.length);
  geometry.parts.push({ type: 'Polygon', polygonStart: 0, polygonEnd: 1 });
  const common = { id: 'house', attributes: new Map([['use', 'home']]) };
  const heights = { bottom: 1, top: 9, roof: 'flat', roofHeight: undefined } as const;
  const looks = { walls: 0, roof: -1 };
  const walls = { colour: [1, 0, 0, 1] } as const;
  return {
    ...common,
    geometry,
    bottom: 301,
    top: 309,
    walls,
    roof: undefined,
    object: () =>
      footprintObject(common, extrudeFootprints([placed], heights, { looks, groundHeight: 300 }), [walls]),
  };
}

/** Square metres by role, and the cubic metres within. */
function measure({ representations }: Shape): { readonly areas: number[]; readonly volume: number } {
  const { positions: p, indices, indexEnds, roles, normals } = drawnMesh(representations[0]!);
  const areas = surfaceRoles.map(() => 0);
  let [volume, index] = [0, 0];
  for (let face = 0; face < indexEnds.length; face++) {
    const [nx, ny, nz] = normals.subarray(face * 3, face * 3 + 3) as unknown as [number, number, number];
    for (; index < indexEnds[face]!; index += 3) {
      const [a, b, c] = [indices[index]! * 3, indices[index + 1]! * 3, indices[index + 2]! * 3];
      const [ux, uy, uz] = [0, 1, 2].map((i) => p[b + i]! - p[a + i]!) as [number, number, number];
      const [vx, vy, vz] = [0, 1, 2].map((i) => p[c + i]! - p[a + i]!) as [number, number, number];
      const [x, y, z] = [uy * vz - uz * vy, uz * vx - ux * vz, ux * vy - uy * vx];
      const size = Math.hypot(x, y, z);
      assert.ok(x * nx + y * ny + z * nz > size * 0.999 - 1e-6, 'triangles look where their face does');
      areas[roles[face]!]! += size / 2;
      volume += (p[a]! * x + p[a + 1]! * y + p[a + 2]! * z) / 6;
    }
  }
  return { areas, volume };
}

const isClose = (a: number, b: number, share: number): boolean =>
  Math.abs(a - b) <= share * Math.max(1, Math.abs(a), Math.abs(b));

test('a footprint as a prism is what its surfaces are, with a courtyard and turned in any direction', () => {
  const radii = fc.array(fc.double({ min: 6, max: 30, noNaN: true }), { minLength: 3, maxLength: 12 });
  const places = fc.tuple(fc.double({ min: -179, max: 179, noNaN: true }), fc.double({ min: -80, max: 80, noNaN: true })); // prettier-ignore
  fc.assert(
    fc.property(radii, places, fc.boolean(), fc.boolean(), (spokes, place, hasYard, isTurned) => {
      const star = spokes.map((radius, i) => {
        const angle = (i / spokes.length) * 2 * Math.PI;
        return [radius * Math.cos(angle), radius * Math.sin(angle)] as const;
      });
      const yard = [[-0.5, -0.5], [0.5, -0.5], [0.5, 0.5], [-0.5, 0.5]] as const; // prettier-ignore
      const building = buildingOf([isTurned ? star.toReversed() : star, ...(hasYard ? [yard] : [])], place);
      const [prism] = shapesOfFlatBuilding(building, options).shapes;
      const [whole] = makeShapes(building.object()!, options).shapes;
      assert.ok(prism?.representations[0]!.prism !== undefined && whole !== undefined);
      assert.equal(
        drawnMesh(prism.representations[0]).indices.length / 3,
        prism.representations[0].triangles,
      );
      assert.equal(prism.representations[0].triangles, whole.representations[0]!.triangles);
      const [ours, theirs] = [measure(prism), measure(whole)];
      assert.ok(isClose(ours.volume, theirs.volume, 1e-4), `${ours.volume}, ${theirs.volume}`);
      for (const [role, area] of ours.areas.entries())
        assert.ok(isClose(area, theirs.areas[role]!, 1e-4), `${area}, ${theirs.areas[role]}`);
      assert.ok(isClose(prism.goneError, whole.goneError, 1e-3));
      assert.ok(prism.region.every((value, i) => isClose(value, whole.region[i]!, 1e-5)));
      assert.deepEqual(prism.looks, whole.looks);
    }),
    { numRuns: 50 },
  );
});

test('a prism takes a fraction of the bytes of its surfaces', () => {
  const building = buildingOf([[[0, 0], [12, 0], [12, 5], [6, 5], [6, 9], [0, 9]]], [8, 50]); // prettier-ignore
  const size = (shapes: readonly Shape[]): number =>
    packShape(shapes[0]!, { offset: 0, hash: 0, names: [] }).length;
  const prism = size(shapesOfFlatBuilding(building, options).shapes);
  assert.ok(prism * 2 < size(makeShapes(building.object()!, options).shapes), `${prism}`);
});

test('a hall that is larger than the plane of its place, and one without an area, are made of surfaces', () => {
  const hall = [[0, 0], [400, 0], [400, 50], [0, 50]] as const; // prettier-ignore
  const line = [[0, 0], [10, 0], [5, 0]] as const; // prettier-ignore
  for (const ring of [hall, line]) {
    const { shapes } = shapesOfFlatBuilding(buildingOf([ring], [8, 50]), options);
    assert.equal(shapes.length, 1);
    assert.equal(shapes[0]!.representations[0]!.prism, undefined);
  }
});
