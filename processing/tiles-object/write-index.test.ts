import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { afterFile } from '../../checks/clean-up.ts';
import { readIndex, type ReadIndex } from './testing-index.ts';
import { openObjectTests } from './testing.ts';
import { cityGml, houseXml, housesInRows } from './testing-models.ts';
import { decodeGlb, eachTile } from './testing-tileset.ts';

const tests = await openObjectTests();
afterFile(tests.remove);

const options = {
  heights: { mode: 'asGiven' },
  tiling: { features: 20 },
  output: { format: 'folder' },
} as const;
const houses = housesInRows(200);

async function indexOf(files: readonly (readonly string[])[], workers: number) {
  const inputs = await Promise.all(files.map((file) => tests.put('town.gml', cityGml(file.join('')))));
  const { outputFolder } = await tests.run(inputs, { ...options, processing: { workers } });
  const folder = join(outputFolder, 'tileset');
  return { folder, index: readIndex(await readFile(join(folder, 'platen/tiles.bin'))) };
}

const xml = houses.map(houseXml);

test('the index has each leaf with its box and its objects, and what they were made of', async () => {
  const { folder, index } = await indexOf([xml], 2);
  const {
    jobType,
    options: given,
    sources,
    properties,
  } = index.head as {
    readonly jobType: string;
    readonly options: object;
    readonly sources: readonly object[];
    readonly properties: readonly { readonly name: string; readonly id: string }[];
  };
  assert.equal(jobType, 'TilesObject');
  assert.deepEqual(given, options, 'threads and memory change nothing');
  assert.equal(sources.length, 1);
  assert.deepEqual(properties.find(({ name }) => name === 'Straße')?.id, 'Strasse');
  const sizes: number[] = [];
  await eachTile(folder, async ({ content, children }) => {
    if (children === undefined)
      sizes.push((await decodeGlb(await readFile(join(folder, content!.uri)))).rows.length);
  });
  assert.ok(sizes.length > 5);
  assert.deepEqual(
    index.leaves.map(({ objects }) => objects.length).toSorted((a, b) => a - b),
    sizes.toSorted((a, b) => a - b),
  );
  const ids = index.leaves.flatMap(({ objects }) => objects.map(([id]) => id));
  assert.equal(new Set(ids).size, houses.length);
  for (const { region } of index.leaves) assert.ok(region[0]! < region[2]! && region[1]! < region[3]!);
});

test('only the leaf of a house that has changed has another hash, whatever else is among the inputs', async () => {
  const { index: before } = await indexOf([xml], 1);
  const changed = xml.with(77, houseXml({ ...houses[77]!, size: [10, 8, 9] }));
  const { index: after } = await indexOf([changed.slice(0, 90), changed.slice(90)], 2);
  const byCell = ({ leaves }: ReadIndex) => new Map(leaves.map((leaf) => [leaf.cell, leaf]));
  const [old, recent] = [byCell(before), byCell(after)];
  assert.deepEqual([...recent.keys()].toSorted(), [...old.keys()].toSorted());
  const differing = [...recent].filter(([cell, { hash }]) => hash !== old.get(cell)!.hash);
  assert.equal(differing.length, 1);
  const [[cell, leaf]] = differing as [(typeof differing)[number]];
  const others = new Set(old.get(cell)!.objects.map(([id, content]) => id + content));
  assert.equal(leaf.objects.filter(([id, content]) => !others.has(id + content)).length, 1);
});
