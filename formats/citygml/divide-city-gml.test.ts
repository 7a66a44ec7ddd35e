import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { CityObject } from '../city-object/city-object.ts';
import { divideCityGml } from './divide-city-gml.ts';
import type { WaitingObject } from './read-city-gml.ts';
import { chunksOf, member, model, read, readWaitingOf, surface } from './testing.ts';

const house = (id: string, more = '') =>
  member(
    `<bldg:Building gml:id="${id}"><gml:name>Ü &amp; <!-- </core:cityObjectMember> -->${id}</gml:name><bldg:lod1MultiSurface>${surface(`${id}-wall`)}</bldg:lod1MultiSurface>${more}</bldg:Building>`,
  );
const reference = (id: string) =>
  `<bldg:lod2MultiSurface><gml:MultiSurface><gml:surfaceMember xlink:href="#${id}"/></gml:MultiSurface></bldg:lod2MultiSurface>`;
const houses = Array.from({ length: 9 }, (_, i) =>
  house(`h${i}`, i % 4 === 0 ? reference(`h${(i + 5) % 9}-wall`) : reference('nowhere')),
);
const city = model(`<gml:description>A city</gml:description>${houses.join('<!-- between -->')}`);
const byId = (objects: readonly CityObject[]): CityObject[] =>
  objects.toSorted((a, b) => a.parts[0]!.id.localeCompare(b.parts[0]!.id));
const limits = { partBytes: 1000, maxBytes: 1 << 20 };

test('the parts of a model have its objects, with surfaces of other parts, and its CRS', async () => {
  const parts = (await divideCityGml(chunksOf(city), limits))!;
  assert.ok(parts.length > 2 && parts.length < houses.length);
  const whole = await read(city);
  const divided: Awaited<ReturnType<typeof read>>[] = [];
  for (const part of parts) divided.push(await read(city, { part }));
  const objectsOf = (reads: readonly Awaited<ReturnType<typeof read>>[]) =>
    byId(reads.flatMap(({ objects }) => objects));
  assert.deepEqual(objectsOf(divided), objectsOf([whole]));
  assert.deepEqual(divided.flatMap(({ notices }) => notices).toSorted(), whole.notices.toSorted());
  assert.deepEqual(new Set(divided.flatMap(({ crs }) => crs)), new Set(['EPSG:25832']));
  assert.deepEqual(
    parts.map(({ membersBefore }) => membersBefore),
    divided.map((_, i) => objectsOf(divided.slice(0, i)).length),
  );
});

test('objects of parts that wait for surfaces of others are read once these are known', async () => {
  const parts = (await divideCityGml(chunksOf(city), limits))!;
  const waiting: WaitingObject[] = [];
  const first: Awaited<ReturnType<typeof read>>[] = [];
  for (const part of parts) first.push(await read(city, { part, onWaiting: (one) => waiting.push(one) }));
  assert.deepEqual(
    [first.flatMap(({ objects }) => objects).length, first.flatMap(({ notices }) => notices).length],
    [0, 0],
  );
  assert.equal(waiting.length, houses.length);
  for (const { part } of waiting)
    assert.match(
      Buffer.from(city).subarray(part.start, part.end).toString(),
      /^<bldg:Building [\s\S]*<\/bldg:Building>$/,
    );
  const whole = await read(city);
  const linked = await readWaitingOf(city, { waiting, sources: parts });
  assert.deepEqual(byId(linked.objects), byId(whole.objects));
  assert.deepEqual(linked.notices.toSorted(), whole.notices.toSorted());
  assert.deepEqual(
    waiting.map(({ part }) => part.membersBefore),
    houses.map((_, i) => i),
  );
});

test('a model with appearances outside of its objects is one', async () => {
  const global = '<app:appearanceMember xmlns:app="http://www.opengis.net/citygml/appearance/2.0"/>';
  assert.equal(
    await divideCityGml(chunksOf(city.replace('</core:CityModel>', `${global}</core:CityModel>`)), limits),
    undefined,
  );
});

test('a model that is cut off is not divided', async () => {
  for (const share of [0.1, 0.5, 0.9, 0.999])
    await assert.rejects(divideCityGml(chunksOf(city.slice(0, share * city.length)), limits), {
      name: 'SourceError',
    });
});
