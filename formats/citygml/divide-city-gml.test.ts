import assert from 'node:assert/strict';
import { test } from 'node:test';
import { divideCityGml } from './divide-city-gml.ts';
import { chunksOf, member, model, read, surface } from './testing.ts';

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
const limits = { partBytes: 1000, maxBytes: 1 << 20 };

test('the parts of a model have its objects, with surfaces of other parts, and its CRS', async () => {
  const parts = (await divideCityGml(chunksOf(city), limits))!;
  assert.ok(parts.length > 2 && parts.length < houses.length);
  const whole = await read(city);
  const absentIds = new Set<string>();
  const divided: Awaited<ReturnType<typeof read>>[] = [];
  for (const part of parts) divided.push(await read(city, { part, absentIds }));
  const objectsOf = (reads: readonly Awaited<ReturnType<typeof read>>[]) =>
    reads.flatMap(({ objects }) => objects).toSorted((a, b) => a.parts[0]!.id.localeCompare(b.parts[0]!.id));
  assert.deepEqual(objectsOf(divided), objectsOf([whole]));
  assert.deepEqual(divided.flatMap(({ notices }) => notices).toSorted(), whole.notices.toSorted());
  assert.deepEqual(new Set(divided.flatMap(({ crs }) => crs)), new Set(['EPSG:25832']));
  assert.deepEqual([...absentIds], ['nowhere']);
  assert.deepEqual(
    parts.map(({ membersBefore }) => membersBefore),
    divided.map((_, i) => objectsOf(divided.slice(0, i)).length),
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
