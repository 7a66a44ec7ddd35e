import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readPropertyTables } from './read-property-table.ts';

/** A table of texts, of lists of texts if there are offsets of lists. */
async function read(count: number, stringOffsets: number[], arrayOffsets?: number[]) {
  const views = [
    Buffer.from('oaklime'),
    Uint32Array.from(stringOffsets),
    Uint32Array.from(arrayOffsets ?? []),
  ];
  const type = { type: 'STRING', ...(arrayOffsets && { array: true }) };
  const extension = {
    schema: { classes: { tree: { properties: { species: type } } } },
    propertyTables: [
      {
        class: 'tree',
        count,
        properties: {
          species: { values: 0, stringOffsets: 1, ...(arrayOffsets && { arrayOffsets: 2 }) },
        },
      },
    ],
  };
  const bytesOf = ({ buffer, byteOffset, byteLength }: Buffer | Uint32Array) =>
    new Uint8Array(buffer, byteOffset, byteLength);
  const { rows, unreadable } = await readPropertyTables(extension, {
    readView: async (view) => bytesOf(views[view]!),
    maxRows: 1000,
  });
  return { values: rows.map((row) => row.get('species')), unreadable };
}

test('texts and lists of texts are read by their offsets', async () => {
  assert.deepEqual(await read(2, [0, 3, 7]), { values: ['oak', 'lime'], unreadable: [] });
  const lists = await read(2, [0, 3, 7], [0, 0, 2]);
  assert.deepEqual(lists.values, [undefined, 'oak; lime']);
});

test('offsets that fall or are not there make an attribute unreadable, and take no time', async () => {
  for (const [texts, lists] of [
    [[0, 7, 0]],
    [[0, 3]],
    [
      [0, 3, 7],
      [0, 3_000_000, 0],
    ],
    [
      [0, 3, 7],
      [0, 1],
    ],
    [
      [0, 3, 7],
      [0, 1, 3_000_000],
    ],
  ] as [number[], number[]?][])
    assert.deepEqual((await read(2, texts, lists)).unreadable, ['species'], JSON.stringify([texts, lists]));
});
