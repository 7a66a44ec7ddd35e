import assert from 'node:assert/strict';
import { test } from 'node:test';
import { zipOfFiles } from '@platen/formats/zip/testing';
import { afterFile } from '../../checks/clean-up.ts';
import type { TilesObjectOptions } from './spec.ts';
import { openObjectTests } from './testing.ts';
import { boxFaces, cityGml, houseXml, polygonXml } from './testing-models.ts';
import { onlyTile, verticesOf, type DecodedTile } from './testing-tileset.ts';

const tests = await openObjectTests();
afterFile(tests.remove);

const [east, north] = [500_000, 5_500_000];
type Point = readonly [number, number, number];

/** A closed box as a solid in a level of detail. */
function solid(id: string, lod: number, at: Point, size: Point): string {
  const faces = boxFaces(at, size).map(
    ([, ring], i) => `<gml:surfaceMember>${polygonXml(`${id}_${lod}_${i}`, ring)}</gml:surfaceMember>`,
  );
  return `<bldg:lod${lod}Solid><gml:Solid><gml:exterior><gml:CompositeSurface>${faces.join('')}</gml:CompositeSurface></gml:exterior></gml:Solid></bldg:lod${lod}Solid>`;
}

const part = (id: string, at: Point, height: number): string =>
  `<bldg:consistsOfBuildingPart><bldg:BuildingPart gml:id="${id}"><bldg:roofType codeSpace="lists/RoofType.xml">${height}</bldg:roofType><bldg:storeysAboveGround>${height / 4}</bldg:storeysAboveGround>${solid(id, 2, at, [10, 10, height])}</bldg:BuildingPart></bldg:consistsOfBuildingPart>`;

/** A house of 5 m in LoD 1 and 8 m in LoD 2, one in LoD 2 only, one of two parts, and a tree. */
const town =
  cityGml(`<core:cityObjectMember><bldg:Building gml:id="both"><bldg:function codeSpace="lists/Function.xml">1000</bldg:function><bldg:yearOfConstruction>1900</bldg:yearOfConstruction>${solid('both', 1, [east, north, 0], [10, 10, 5])}${solid('both', 2, [east, north, 0], [10, 10, 8])}</bldg:Building></core:cityObjectMember>
${houseXml({ id: 'fine', at: [east + 20, north, 0], size: [10, 10, 7], more: '<gen:stringAttribute name="owner"><gen:value>city</gen:value></gen:stringAttribute>' })}
<core:cityObjectMember><bldg:Building gml:id="parts"><bldg:function codeSpace="lists/Function.xml">9999</bldg:function>${part('low', [east + 40, north, 0], 4)}${part('high', [east + 50, north, 0], 12)}</bldg:Building></core:cityObjectMember>
<core:cityObjectMember><veg:SolitaryVegetationObject gml:id="tree"><veg:height uom="m">3</veg:height>${solid('tree', 2, [east + 80, north, 0], [1, 1, 3]).replaceAll('bldg:lod2Solid', 'veg:lod2Geometry')}</veg:SolitaryVegetationObject></core:cityObjectMember>`);

const list = (words: Readonly<Record<string, string>>): string =>
  `<gml:Dictionary xmlns:gml="http://www.opengis.net/gml" gml:id="d"><gml:name>list</gml:name>${Object.entries(
    words,
  )
    .map(
      ([code, word], i) =>
        `<gml:dictionaryEntry><gml:Definition gml:id="e${i}"><gml:description>${word}</gml:description><gml:name>${code}</gml:name></gml:Definition></gml:dictionaryEntry>`,
    )
    .join('')}</gml:Dictionary>`;

const zip = await tests.put(
  'town.zip',
  zipOfFiles({
    'town.gml': town,
    'lists/Function.xml': list({ 1000: 'Wohngebäude', 2000: 'Büro' }),
    'lists/RoofType.xml': list({ 4: 'flat', 12: 'gabled' }),
  }),
);

async function run(options: TilesObjectOptions) {
  const { outputFolder, rejects } = await tests.run([zip], {
    output: { format: 'folder' },
    heights: { mode: 'asGiven' },
    ...options,
  });
  const tile = await onlyTile(outputFolder);
  return { tile, rows: byId(tile), heights: heightsOf(tile), rejects };
}

const byId = ({ rows }: DecodedTile) => new Map(rows.map(({ id, ...others }) => [id, others]));

/** The highest vertex of each object, in decimetres. */
function heightsOf(tile: DecodedTile): Record<string, number> {
  const heights: Record<string, number> = {};
  const features = tile.primitives.flatMap((one) => [...one.features]);
  for (const [i, [, , height]] of verticesOf(tile).entries()) {
    const id = String(tile.rows[features[i]!]!['id']);
    heights[id] = Math.max(heights[id] ?? -Infinity, Math.round(height * 10));
  }
  return heights;
}

test('of each object the finest level of detail is shown, or the finest up to the one asked for', async () => {
  assert.deepEqual((await run({})).heights, { both: 80, fine: 70, parts: 120, tree: 30 });
  const { heights, rejects } = await run({ modelOptions: { lod: 1 } });
  assert.deepEqual(heights, { both: 50 });
  assert.deepEqual(
    rejects.map(({ id, reason }) => [id, reason]),
    ['fine', 'parts', 'tree'].map((id) => [
      id,
      'The object has no surfaces in a level of detail that is used.',
    ]),
  );
});

test('only objects of the classes asked for are shown', async () => {
  const { rows, rejects } = await run({ modelOptions: { classes: ['SolitaryVegetationObject', 'Bridge'] } });
  assert.deepEqual([...rows], [['tree', { class: 'SolitaryVegetationObject', height: 3 }]]);
  assert.deepEqual(rejects, []);
});

test('a whole has the attributes on which its parts agree, and parts are features of their own if asked for', async () => {
  const whole = await run({});
  assert.deepEqual(whole.rows.get('parts'), { class: 'Building', function: '9999' });
  const { rows, heights } = await run({ modelOptions: { features: 'part' } });
  assert.deepEqual(heights, { both: 80, fine: 70, low: 40, high: 120, tree: 30 });
  const high = { class: 'BuildingPart', roofType: 'gabled', storeysAboveGround: 3, parent: 'parts' };
  assert.deepEqual(rows.get('high'), high);
  assert.deepEqual(rows.get('low'), { ...high, roofType: 'flat', storeysAboveGround: 1 });
});

test('attributes that a pattern excludes are left out, and codes become the words of the lists beside the model', async () => {
  const { rows } = await run({ modelOptions: { exclude: ['year*', 'owner'] } });
  assert.deepEqual(rows.get('both'), { class: 'Building', function: 'Wohngebäude' });
  assert.deepEqual(rows.get('fine'), { class: 'Building' });
  assert.equal(rows.get('parts')!['function'], '9999', 'a code that the list does not have stays');
});

test('surfaces have the colours asked for by what they are, with light or without', async () => {
  const modelOptions = { filter: ['==', ['id'], 'fine'] };
  const { tile } = await run({ modelOptions, appearance: { colours: { roof: '#ff0000', wall: '#0000ff' } } });
  const { colours } = tile.primitives[0]!;
  const seen = new Map<string, number>();
  for (const [i, [, , height]] of verticesOf(tile).entries()) {
    const colour = colours!.slice(i * 4, i * 4 + 3).join();
    seen.set(colour, Math.max(seen.get(colour) ?? -Infinity, Math.round(height)));
  }
  assert.equal(seen.get('255,0,0'), 7);
  assert.equal(seen.get('0,0,255'), 7);
  assert.equal(seen.size, 3, 'the ground keeps its own');
  const unlit = await run({ modelOptions, appearance: { unlit: true } });
  assert.ok(!tile.json.extensionsUsed!.includes('KHR_materials_unlit'));
  assert.ok(unlit.tile.json.extensionsUsed!.includes('KHR_materials_unlit'));
});
