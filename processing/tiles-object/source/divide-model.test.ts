import assert from 'node:assert/strict';
import { stat } from 'node:fs/promises';
import { test } from 'node:test';
import type { CityObject } from '@platen/formats/city-object/city-object';
import { afterFile } from '../../../checks/clean-up.ts';
import { cityGml, houseXml } from '../testing-models.ts';
import { openObjectTests } from '../testing.ts';
import { divideModel } from './divide-model.ts';
import type { ModelFile } from './model-file.ts';
import { readModel } from './read-model.ts';

const tests = await openObjectTests();
afterFile(tests.remove);
const partBytes = 8000;

async function modelOf(content: string | Uint8Array): Promise<ModelFile> {
  const { path, name } = await tests.put('city.gml', content);
  return { path, name, size: (await stat(path)).size, format: 'citygml', crs: undefined };
}

async function objectsOf(file: ModelFile): Promise<CityObject[]> {
  const objects: CityObject[] = [];
  await readModel(file, {
    hasAppearances: true,
    theme: undefined,
    translate: undefined,
    onCrs: () => {},
    onNotice: (notice) => assert.fail(notice),
    onRead: () => {},
    onObject: (object) => objects.push(object),
  });
  return objects;
}

const houses = Array.from({ length: 20 }, (_, i) =>
  houseXml({ id: `house-${i}`, at: [690_000 + 20 * i, 5_540_000, 300] }),
);

test('a large file is read in parts that have all of its objects', async () => {
  const file = await modelOf(cityGml(houses.join('')));
  const parts = await divideModel(file, partBytes);
  assert.ok(parts.length > 3);
  const read = [];
  for (const part of parts) read.push(...(await objectsOf(part)));
  assert.deepEqual(read, await objectsOf(file));
});

test('a small file, one that is cut off, and one in another encoding are read as one', async () => {
  const text = cityGml(houses.join(''));
  const latin = Buffer.from(text.replace('UTF-8', 'ISO-8859-1'), 'latin1');
  for (const content of [cityGml(houses[0]!), text.slice(0, -100), latin]) {
    const file = await modelOf(content);
    assert.deepEqual(await divideModel(file, partBytes), [file]);
  }
});
