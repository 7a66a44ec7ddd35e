import assert from 'node:assert/strict';
import { test } from 'node:test';
import { geocentricOf } from '../geodesy/geocentric.ts';
import { placeMesh } from './place-mesh.ts';
import { eachVertexOfMesh, roughHeights, windowOf } from './testing.ts';
import { latitudeOfVertex, longitudeOfVertex, tileDegrees, type TilePlace } from './tile-grid.ts';
import { createTileMesher } from './tile-mesher.ts';
import { encodeNormals } from './vertex-normals.ts';
import { createVertexSurface, fillVertices } from './vertex-heights.ts';

const places: readonly TilePlace[] = [
  { z: 3, x: 8, y: 2 },
  { z: 6, x: 67, y: 14 },
  { z: 10, x: 1090, y: 233 },
  { z: 14, x: 17_500, y: 3900 },
];

function surfaceOf(place: TilePlace, seed: number) {
  const surface = createVertexSurface();
  fillVertices(windowOf(roughHeights(seed), place), surface);
  return surface;
}

test('a mesh is within its error of the heights at every vertex of the grid, the Earth being round', () => {
  const mesher = createTileMesher();
  for (const [seed, place] of places.entries()) {
    const { heights } = surfaceOf(place, seed);
    for (const maxError of [2, 30, 200]) {
      const mesh = mesher(place, heights, maxError);
      // heights above the plane through the middle of the tile
      const bend = bendOf(place);
      const flat = Float64Array.from(mesh.heights, (height, i) => height - bend(i));
      let seen = 0;
      let worst = 0;
      eachVertexOfMesh(mesh, flat, (vertex, height) => {
        seen++;
        worst = Math.max(worst, Math.abs(height - (heights[vertex]! - bend(vertex))));
      });
      assert.ok(seen >= 65 * 65, 'the triangles cover the tile');
      assert.ok(worst <= maxError + 1e-6, `zoom ${place.z}: off by ${worst} m instead of ${maxError} m`);
    }
  }
});

/** Metres of the sphere below the plane that touches the middle of a tile. */
function bendOf(place: TilePlace): (vertex: number) => number {
  const spacing = (tileDegrees(place.z) / 64) * (Math.PI / 180) * 6_371_000;
  return (vertex) => {
    const row = Math.floor(vertex / 65);
    const north = (row - 32) * spacing;
    const east = ((vertex % 65) - 32) * spacing * Math.cos((latitudeOfVertex(place, row) * Math.PI) / 180);
    return (north * north + east * east) / (2 * 6_371_000);
  };
}

test('a coarse error leaves few triangles, and no error leaves the whole grid', () => {
  const place = places[3]!;
  const { heights } = surfaceOf(place, 1);
  const counts = [1e6, 100, 10, -1].map(
    (error) => createTileMesher()(place, heights, error).triangles.length / 3,
  );
  assert.equal(counts[0], 2);
  assert.equal(counts[3], 64 * 64 * 2);
  assert.ok(counts[0]! < counts[1]! && counts[1]! < counts[2]! && counts[2]! < counts[3]!, String(counts));
});

test('zooms 0 to 2 have the whole grid, as the globe is round', () => {
  const mesh = createTileMesher()({ z: 2, x: 4, y: 1 }, new Float64Array(65 * 65), 1e6);
  assert.equal(mesh.vertices.length, 65 * 65);
});

test('triangles are counter-clockwise, and vertices are numbered as they are first used', () => {
  const { heights } = surfaceOf(places[2]!, 5);
  const { vertices, triangles } = createTileMesher()(places[2]!, heights, 20);
  let highest = 0;
  for (let i = 0; i < triangles.length; i++) {
    assert.ok(triangles[i]! <= highest);
    if (triangles[i] === highest) highest++;
  }
  for (let i = 0; i < triangles.length; i += 3) {
    const [a, b, c] = [0, 1, 2].map((corner) => vertices[triangles[i + corner]!]!) as [
      number,
      number,
      number,
    ];
    const turn =
      ((b % 65) - (a % 65)) * (Math.floor(a / 65) - Math.floor(c / 65)) -
      ((c % 65) - (a % 65)) * (Math.floor(a / 65) - Math.floor(b / 65));
    assert.ok(turn > 0);
  }
});

test('neighbours have the same line and the same normals at their common edge', () => {
  for (const [seed, place] of places.entries()) {
    for (const [east, south] of [
      [1, 0],
      [0, 1],
    ] as const) {
      const neighbour = { z: place.z, x: place.x + east, y: place.y + south };
      for (const maxError of [5, 60]) {
        const one = edgeOf(place, { seed, maxError }, east === 1 ? (i) => i * 65 + 64 : (i) => 64 * 65 + i);
        const other = edgeOf(neighbour, { seed, maxError }, east === 1 ? (i) => i * 65 : (i) => i);
        const common = [...one].filter(([i]) => other.has(i));
        assert.ok(common.length >= 2);
        for (const [i, { normal }] of common) assert.deepEqual(other.get(i)!.normal, normal);
        for (let i = 0; i <= 64; i++)
          assert.ok(
            Math.abs(heightOn(one, i) - heightOn(other, i)) < 1e-3,
            `zoom ${place.z}: a crack of ${heightOn(one, i) - heightOn(other, i)} m`,
          );
      }
    }
  }
});

type EdgeVertices = ReadonlyMap<number, { readonly profile: number; readonly normal: readonly number[] }>;

/** The vertices of an edge: their heights above a plane along it, and their normals. */
function edgeOf(
  place: TilePlace,
  { seed, maxError }: { readonly seed: number; readonly maxError: number },
  vertexAt: (i: number) => number,
): EdgeVertices {
  const surface = surfaceOf(place, seed);
  const { vertices, heights } = createTileMesher()(place, surface.heights, maxError);
  const normals = encodeNormals(place, vertices, surface);
  const isRow = vertexAt(1) - vertexAt(0) === 1;
  const lat = latitudeOfVertex(place, Math.floor(vertexAt(0) / 65));
  const spacing =
    (tileDegrees(place.z) / 64) * (Math.PI / 180) * 6_371_000 * (isRow ? Math.cos((lat * Math.PI) / 180) : 1);
  const found = new Map<number, { profile: number; normal: readonly number[] }>();
  for (let i = 0; i <= 64; i++) {
    const number = vertices.indexOf(vertexAt(i));
    if (number < 0) continue;
    const profile = heights[vertexAt(i)]! - ((i - 32) * spacing) ** 2 / (2 * 6_371_000);
    found.set(i, { profile, normal: [...normals.subarray(number * 2, number * 2 + 2)] });
  }
  return found;
}

function heightOn(edge: EdgeVertices, i: number): number {
  const at = [...edge.keys()];
  const from = at.findLast((one) => one <= i)!;
  const to = at.find((one) => one >= i)!;
  const [a, b] = [edge.get(from)!.profile, edge.get(to)!.profile];
  return from === to ? a : a + ((b - a) * (i - from)) / (to - from);
}

test('the sphere holds all vertices, and the horizon point sees over the globe what any vertex sees', () => {
  for (const place of [{ z: 0, x: 1, y: 0 }, ...places]) {
    const surface = surfaceOf(place, 9);
    const mesh = placeMesh(place, createTileMesher()(place, surface.heights, 40));
    const [scaleX, scaleZ] = [6_378_137, 6_356_752.314245179];
    const length = Math.hypot(...mesh.horizonPoint);
    assert.ok(length >= 1);
    for (let i = 0; i < mesh.u.length; i++) {
      const position = geocentricOf(
        longitudeOfVertex(place, 0) + (mesh.u[i]! / 32_767) * tileDegrees(place.z),
        latitudeOfVertex(place, 64) + (mesh.v[i]! / 32_767) * tileDegrees(place.z),
        mesh.minHeight + (mesh.heights[i]! / 32_767) * (mesh.maxHeight - mesh.minHeight),
      );
      const [x, y, z] = position;
      const away = Math.hypot(x - mesh.centre[0], y - mesh.centre[1], z - mesh.centre[2]);
      assert.ok(away <= mesh.radius * (1 + 1e-9) + 1e-6, `a vertex is ${away - mesh.radius} m outside`);
      // the angle at the centre of the Earth between the point and the vertex is at most the sum of both horizons
      const scaled = [x / scaleX, y / scaleX, z / scaleZ] as const;
      const high = Math.max(1, Math.hypot(...scaled));
      const cosine =
        scaled.reduce((sum, value, axis) => sum + value * mesh.horizonPoint[axis]!, 0) /
        (Math.hypot(...scaled) * length);
      const between = Math.acos(Math.min(1, cosine));
      if (length < 9999) assert.ok(between <= Math.acos(1 / length) - Math.acos(1 / high) + 1e-6);
    }
  }
});
