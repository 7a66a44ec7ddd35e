import assert from 'node:assert/strict';
import { stat } from 'node:fs/promises';
import { test } from 'node:test';
import type { CityObject } from '@platen/formats/city-object/city-object';
import { IdFilter } from '@platen/formats/citygml/id-filter';
import type { WaitingObject } from '@platen/formats/citygml/read-city-gml';
import { afterFile } from '../../../checks/clean-up.ts';
import { findTask } from '../find-task.ts';
import type { ReadModelAnswer, ReadTask, Setup } from '../tasks.ts';
import { cityGml, houseXml } from '../testing-models.ts';
import { openObjectTests } from '../testing.ts';
import { divideModel } from './divide-model.ts';
import { findTasks, linkTasks } from './link-parts.ts';
import type { ModelFile } from './model-file.ts';
import { readModel } from './read-model.ts';

const tests = await openObjectTests();
afterFile(tests.remove);

/** Half of the houses have the wall of another one, which is in another part of the file. */
const houses = Array.from({ length: 20 }, (_, i) => {
  const xml = houseXml({ id: `house-${i}`, at: [690_000 + 20 * i, 5_540_000, 300] });
  const end = xml.lastIndexOf('</bldg:Building>');
  const wall = `<gml:Polygon gml:id="wall-${i}"><gml:exterior><gml:LinearRing><gml:posList>${690_000 + i} 0 0 ${690_000 + i} 9 0 ${690_000 + i} 9 9</gml:posList></gml:LinearRing></gml:exterior></gml:Polygon>`;
  const content = i % 2 === 0 ? wall : '';
  const member = `<gml:surfaceMember${i % 2 === 0 ? '' : ` xlink:href="#wall-${19 - i}"`}>${content}</gml:surfaceMember>`;
  return `${xml.slice(0, end)}<bldg:lod3MultiSurface><gml:MultiSurface>${member}</gml:MultiSurface></bldg:lod3MultiSurface>${xml.slice(end)}`;
});

async function read(file: ModelFile, links?: ReadTask['links']) {
  const objects: CityObject[] = [];
  const waiting: WaitingObject[] = [];
  const ids = new IdFilter();
  await readModel(file, {
    hasAppearances: true,
    theme: undefined,
    translate: undefined,
    onCrs: () => {},
    onNotice: (notice) => assert.fail(notice),
    onRead: () => {},
    onObject: (object) => objects.push(object),
    onWaiting: (object) => waiting.push(object),
    onSurfaceId: (id) => ids.add(id),
    links,
  });
  return { objects, waiting, surfaceIds: ids.bits };
}

test('objects that wait for surfaces in other parts of a file get them', async () => {
  const text = cityGml(houses.join('')).replace(
    '<core:CityModel',
    '<core:CityModel xmlns:xlink="http://www.w3.org/1999/xlink"',
  );
  const { path, name } = await tests.put('city.gml', text);
  const file: ModelFile = { path, name, size: (await stat(path)).size, format: 'citygml', crs: undefined };
  const models = await divideModel(file, 8000);
  assert.ok(models.length > 3);
  const objects: CityObject[] = [];
  const waiting: ReadModelAnswer[] = [];
  const filters = new Map<number, { readonly surfaceIds: Uint8Array | undefined }>();
  for (const [model, one] of models.entries()) {
    const first = await read(one);
    objects.push(...first.objects);
    // of one part, nothing is known
    filters.set(model, model === 1 ? { surfaceIds: undefined } : first);
    if (first.waiting.length > 0)
      waiting.push({ model, waiting: first.waiting } as unknown as ReadModelAnswer);
  }
  assert.equal(objects.length, 10);
  const setup = { found: { models } } as unknown as Setup;
  const tasks = findTasks(models, waiting, filters);
  const idsOf = tasks.map(({ ids }) => ids.length);
  assert.equal(
    Math.max(...idsOf),
    10,
    'a part of which nothing is known is searched for all that is missing',
  );
  assert.ok(idsOf.filter((count) => count === 10).length === 1, 'others for what may be there');
  const found = await Promise.all(tasks.map((task) => findTask(setup, task)));
  for (const { model, links } of linkTasks(models, waiting, found)) {
    assert.ok(links!.sources.length < models.length, 'only parts with missing surfaces are read again');
    objects.push(...(await read(models[model]!, links)).objects);
  }
  const inOrder = (all: readonly CityObject[]) =>
    all.toSorted((a, b) => a.parts[0]!.id.localeCompare(b.parts[0]!.id));
  assert.deepEqual(inOrder(objects), inOrder((await read(file)).objects));
});
