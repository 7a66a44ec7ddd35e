import assert from 'node:assert/strict';
import { test } from 'node:test';
import { decodeDraco, type DecodedValues } from './decode-draco.ts';
import { readDracoHeader } from './read-draco-header.ts';
import { encodeDraco, type DracoSource } from './testing.ts';

const side = 12;
const at = (i: number, j: number): number => i * (side + 1) + j;
const steps = Array.from({ length: side }, (_, i) => i);
const vertices = Array.from({ length: (side + 1) ** 2 }, (_, i) => [
  Math.floor(i / (side + 1)),
  i % (side + 1),
]);
const maxFaces = 1e6;

/** A hilly square, with a colour and a number of each vertex. */
const hills: DracoSource = {
  indices: Uint32Array.from(
    steps.flatMap((i) =>
      steps.flatMap((j) => [
        at(i, j),
        at(i + 1, j),
        at(i, j + 1),
        at(i, j + 1),
        at(i + 1, j),
        at(i + 1, j + 1),
      ]),
    ),
  ),
  attributes: [
    {
      kind: 'POSITION',
      width: 3,
      values: Float32Array.from(vertices.flatMap(([i, j]) => [i!, j!, Math.sin(i! + 2 * j!)])),
    },
    {
      kind: 'COLOR',
      width: 4,
      values: Uint8Array.from(vertices.flatMap(([i, j]) => [i! * 9, j! * 9, 0, 255])),
    },
    { kind: 'GENERIC', width: 1, values: Uint16Array.from(vertices.map(([i]) => i! * 1000)) },
  ],
};

/** The values of the corners of all triangles, rounded, whatever the order of vertices and triangles is. */
function cornersOf(indices: Uint32Array, attributes: readonly DecodedValues[]): string[] {
  const corners = [...indices].map((vertex) =>
    attributes
      .flatMap(({ values, width }) => [...values.subarray(vertex * width, (vertex + 1) * width)])
      .map((value) => (value + 0.001).toFixed(2))
      .join(' '),
  );
  return Array.from({ length: corners.length / 3 }, (_, i) => {
    const [a, b, c] = corners.slice(i * 3, i * 3 + 3) as [string, string, string];
    return [`${a} ${b} ${c}`, `${b} ${c} ${a}`, `${c} ${a} ${b}`].toSorted()[0]!;
  }).toSorted();
}

for (const packing of [
  { method: 'edgebreaker' },
  { method: 'sequential' },
  { method: 'edgebreaker', bits: 16 },
  { method: 'sequential', bits: 16 },
  { method: 'edgebreaker', hasMetadata: true },
] as const)
  test(`a mesh is decoded: ${JSON.stringify(packing)}`, async () => {
    const bytes = encodeDraco(hills, packing);
    assert.deepEqual(readDracoHeader(bytes), { faces: side ** 2 * 2, vertices: vertices.length });
    const { faces, indices, attributes } = (await decodeDraco(bytes, maxFaces))!;
    assert.equal(faces, side ** 2 * 2);
    const decoded = hills.attributes.map((_, id) => attributes.get(id)!);
    assert.deepEqual(
      decoded.map(({ values }) => values.constructor.name),
      ['Float32Array', 'Uint8Array', 'Uint16Array'],
    );
    assert.deepEqual(cornersOf(indices, decoded), cornersOf(hills.indices, hills.attributes));
  });

test('attributes of more than four numbers, which glTF has not, are left out', async () => {
  const wide = { kind: 'GENERIC', width: 5, values: new Float32Array(vertices.length * 5) } as const;
  const bytes = encodeDraco({ ...hills, attributes: [...hills.attributes, wide] });
  assert.deepEqual([...(await decodeDraco(bytes, maxFaces))!.attributes.keys()], [0, 1, 2]);
});

test('what claims more than it can have is refused before memory is asked for', async () => {
  const bytes = encodeDraco(hills);
  const before = process.memoryUsage.rss();
  for (const method of ['sequential', 'edgebreaker'] as const) {
    const claims = encodeDraco(hills, { method, claims: { faces: 2 ** 31, vertices: 2 ** 31 } });
    assert.equal(readDracoHeader(claims)!.faces, 2 ** 31);
    assert.equal(await decodeDraco(claims, 2 ** 40), undefined);
  }
  assert.equal(await decodeDraco(bytes, 100), undefined, 'more faces than are left');
  assert.ok(process.memoryUsage.rss() - before < 100 << 20);
});

test('other versions, point clouds and metadata without end are no meshes', async () => {
  const bytes = encodeDraco(hills, { hasMetadata: true });
  for (const [place, value] of [
    [0, 0],
    [5, 1],
    [6, 9],
    [7, 0],
  ] as const) {
    assert.equal(readDracoHeader(bytes.with(place, value)), undefined);
    assert.equal(await decodeDraco(bytes.with(place, value), maxFaces), undefined);
  }
  // as many entries as the bytes can say
  const endless = bytes.slice();
  endless.set([255, 255, 255, 255, 15], 11);
  assert.equal(await decodeDraco(endless, maxFaces), undefined);
  for (let length = 0; length < 60; length++)
    assert.equal(await decodeDraco(bytes.subarray(0, length), maxFaces), undefined);
});
