import assert from 'node:assert/strict';
import { test } from 'node:test';
import { outlineEdges } from './outline-edges.ts';

type Point = readonly [number, number, number];

interface TestFace {
  readonly corners: readonly Point[];
  readonly triangles: readonly number[];
  readonly normal: Point;
  readonly feature?: number;
}

/** The edges as pairs of points. */
function edgesOf(faces: readonly TestFace[]): string[] {
  const points = faces.flatMap(({ corners }) => corners);
  let count = 0;
  const indices: number[] = [];
  const ends: number[] = [];
  for (const { corners, triangles } of faces) {
    for (const vertex of triangles) indices.push(vertex + count);
    ends.push((count += corners.length));
  }
  const edges = outlineEdges({
    positions: Float64Array.from(points.flat()),
    indices: Uint32Array.from(indices),
    vertexEnds: Uint32Array.from(ends),
    normals: Float32Array.from(faces.flatMap(({ normal }) => [...normal, 0])),
    features: Uint32Array.from(faces, ({ feature = 0 }) => feature),
  });
  return Array.from({ length: edges.length / 2 }, (_, i) =>
    between(points[edges[i * 2]!]!, points[edges[i * 2 + 1]!]!),
  );
}

const between = (one: Point, other: Point): string =>
  [one.join(), other.join()].toSorted((a, b) => a.localeCompare(b)).join(' – ');
const around = (corners: readonly Point[]): string[] =>
  corners.map((point, i) => between(point, corners[(i + 1) % corners.length]!));
const sorted = (texts: readonly string[]): string[] => texts.toSorted((a, b) => a.localeCompare(b));

const up: Point = [0, 1, 0];
const square = (x: number): Point[] => [
  [x, 0, 0],
  [x + 1, 0, 0],
  [x + 1, 0, 1],
  [x, 0, 1],
];
const two = [0, 1, 2, 0, 2, 3];

test('a face has its border, also around holes, and not the edges between its triangles', () => {
  const outer: Point[] = [[0, 0, 0], [9, 0, 0], [9, 0, 9], [0, 0, 9]]; // prettier-ignore
  const inner: Point[] = [[3, 0, 3], [6, 0, 3], [6, 0, 6], [3, 0, 6]]; // prettier-ignore
  const triangles = [0, 1, 2, 3].flatMap((i) => {
    const next = (i + 1) % 4;
    return [i, next, i + 4, next, next + 4, i + 4];
  });
  const edges = edgesOf([{ corners: [...outer, ...inner], triangles, normal: up }]);
  assert.deepEqual(sorted(edges), sorted([...around(outer), ...around(inner)]));
});

test('faces of one feature in one plane are one, others are not', () => {
  const pair = (more: Partial<TestFace>) =>
    edgesOf([
      { corners: square(0), triangles: two, normal: up },
      { corners: square(1), triangles: two, normal: up, ...more },
    ]);
  const shared = between([1, 0, 0], [1, 0, 1]);
  assert.equal(pair({}).length, 6);
  assert.ok(!pair({}).includes(shared));
  for (const more of [{ feature: 1 }, { normal: [0.6, 0.8, 0] as const }])
    assert.equal(pair(more).filter((edge) => edge === shared).length, 2);
});
