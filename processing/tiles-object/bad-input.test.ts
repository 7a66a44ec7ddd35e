import assert from 'node:assert/strict';
import { test } from 'node:test';
import { zipOfFiles } from '@platen/formats/zip/testing';
import { afterFile } from '../../checks/clean-up.ts';
import type { JobInput } from '../job-type.ts';
import { openObjectTests } from './testing.ts';
import { boxFaces, cityGml, houseXml, housesInRows, polygonXml } from './testing-models.ts';
import { areasOf, onlyTile, type DecodedTile } from './testing-tileset.ts';

const tests = await openObjectTests();
afterFile(tests.remove);

const options = { heights: { mode: 'asGiven' }, output: { format: 'folder' } } as const;
const good = housesInRows(12).map(houseXml).join('');
type Point = readonly [number, number, number];

async function run(input: JobInput) {
  const { outputFolder, warnings, rejects } = await tests.run([input], options);
  return { tile: await onlyTile(outputFolder), codes: warnings.map(({ code }) => code), warnings, rejects };
}

const runGml = async (members: string) => run(await tests.put('town.gml', cityGml(members)));

/** A building of surfaces. */
const building = (id: string, rings: readonly (readonly Point[])[], more = ''): string =>
  `<core:cityObjectMember><bldg:Building gml:id="${id}">${more}<bldg:lod2MultiSurface><gml:MultiSurface>${rings
    .map((ring, i) => `<gml:surfaceMember>${polygonXml(`${id}_${i}`, ring)}</gml:surfaceMember>`)
    .join('')}</gml:MultiSurface></bldg:lod2MultiSurface></bldg:Building></core:cityObjectMember>`;

const [x, y] = [500_100, 5_500_100];

function areaOf(tile: DecodedTile, id: string): number {
  return areasOf(tile).get(tile.rows.findIndex((row) => row['id'] === id)) ?? 0;
}

test('entities and elements without end are refused with what to do', async () => {
  const bomb = [
    '<!ENTITY a0 "ha">',
    ...Array.from({ length: 30 }, (_, i) => `<!ENTITY a${i + 1} "&a${i};&a${i};">`),
  ];
  const named = houseXml({ id: 'named', at: [x, y, 0], more: '<bldg:function>&a30;</bldg:function>' });
  const doctype = cityGml(good + named).replace('?>\n', `?>\n<!DOCTYPE a [${bomb.join('')}]>\n`);
  await assert.rejects(
    run(await tests.put('doctype.gml', doctype)),
    /doctype\.gml: .* DOCTYPE, .*: remove it/,
  );
  const deep = cityGml(`<core:cityObjectMember><bldg:Building>${'<bldg:x>'.repeat(100_000)}`);
  await assert.rejects(run(await tests.put('deep.gml', deep)), /deep\.gml: /);
});

test('surfaces that refer to each other in circles end, and the rest is shown', async () => {
  const member = (id: string, to: string): string =>
    `<core:cityObjectMember><bldg:Building gml:id="${id}"><bldg:lod2MultiSurface><gml:MultiSurface gml:id="${id}_m"><gml:surfaceMember xlink:href="#${to}_m"/></gml:MultiSurface></bldg:lod2MultiSurface></bldg:Building></core:cityObjectMember>`;
  const { tile, rejects } = await runGml(good + member('p', 'q') + member('q', 'p') + member('r', 'r'));
  assert.equal(tile.rows.length, 12);
  assert.deepEqual(
    rejects.map(({ id }) => String(id)).toSorted((a, b) => a.localeCompare(b)),
    ['p', 'q', 'r'],
  );
});

test('numbers that are none, or of no place, set their house aside and no other', async () => {
  const ring = (bad: string) =>
    building('bad', [
      [
        [x, y, 0],
        [x + 9, y, 0],
        [x + 9, y + 9, 0],
      ],
    ]).replace(`${x + 9} ${y} 0`, bad);
  for (const bad of [`1e300 ${y} 0`, `${x} 1e300 0`, `${x} ${y} 1e300`]) {
    const { tile, rejects } = await runGml(good + ring(bad));
    assert.equal(tile.rows.length, 12, bad);
    assert.deepEqual(
      rejects.map(({ id, file }) => [id, file?.endsWith('town.gml')]),
      [['bad', true]],
      bad,
    );
  }
  const { codes, tile } = await runGml(good + ring(`NaN ${y} 0`));
  assert.ok(codes.includes('brokenObjects') || codes.includes('missingSurfaces') || tile.rows.length >= 12);
  const island = houseXml({ id: 'island', at: [166_021, 0, 0] });
  const far = await runGml(good + island);
  assert.deepEqual([far.codes, far.tile.rows.length], [['farAwayObjects'], 12]);
});

test('surfaces without an area, crossing themselves, bent or inside out are drawn as well as they can be', async () => {
  const flat: Point[] = [
    [x, y, 0],
    [x + 5, y, 0],
    [x, y, 0],
  ];
  const bow: Point[] = [
    [x, y, 5],
    [x + 10, y + 10, 5],
    [x + 10, y, 5],
    [x, y + 8, 5],
  ];
  const bent: Point[] = [
    [x, y, 8],
    [x + 10, y, 8],
    [x + 10, y + 10, 8.3],
    [x, y + 10, 8],
  ];
  const box = boxFaces([x, y, 0], [10, 8, 6]).map(([, ring]) => ring.toReversed());
  const solid = building('inside-out', box)
    .replaceAll('lod2MultiSurface', 'lod2Solid')
    .replaceAll('gml:MultiSurface', 'gml:Solid')
    .replace('<gml:Solid>', '<gml:Solid><gml:exterior><gml:CompositeSurface>')
    .replace('</gml:Solid>', '</gml:CompositeSurface></gml:exterior></gml:Solid>');
  const { tile, codes } = await runGml(
    building('flat', [flat, bent]) + building('bow', [bow]) + building('bent', [bent]) + solid,
  );
  assert.deepEqual(codes, ['flatSurfaces']);
  assert.equal(tile.rows.length, 4);
  assert.ok(Math.abs(areaOf(tile, 'bent') - 100) < 1);
  const area = areaOf(tile, 'bow');
  assert.ok(area > 0 && area <= 101, `${area}`);
  assert.ok(volumeOf(tile, 'inside-out') > 0, 'it looks outwards');
});

/** Of the triangles of a feature, by the divergence theorem: positive if they look outwards. */
function volumeOf({ rows, primitives }: DecodedTile, id: string): number {
  const feature = rows.findIndex((row) => row['id'] === id);
  let volume = 0;
  for (const { places, indices, features } of primitives) {
    const origin = places[0]!;
    for (let i = 0; i < indices.length; i += 3) {
      if (features[indices[i]!] !== feature) continue;
      const [a, b, c] = [0, 1, 2].map((k) =>
        places[indices[i + k]!]!.map((value, axis) => value - origin[axis]!),
      ) as [number[], number[], number[]];
      volume +=
        a[0]! * (b[1]! * c[2]! - b[2]! * c[1]!) +
        a[1]! * (b[2]! * c[0]! - b[0]! * c[2]!) +
        a[2]! * (b[0]! * c[1]! - b[1]! * c[0]!);
    }
  }
  return volume / 6;
}

test(
  'a polygon of a million vertices, and 10,000 attributes, end in time',
  { timeout: 120_000 },
  async () => {
    const count = 1_000_000;
    const round = Array.from({ length: count }, (_, i): Point => {
      const angle = (i / count) * 2 * Math.PI;
      return [x + 50 * Math.cos(angle), y + 50 * Math.sin(angle), 3];
    });
    const { tile } = await runGml(building('round', [round]));
    assert.ok(Math.abs(areaOf(tile, 'round') / (Math.PI * 2500) - 1) < 0.005);
    const more = Array.from(
      { length: 10_000 },
      (_, i) => `<gen:stringAttribute name="a${i}"><gen:value>v</gen:value></gen:stringAttribute>`,
    ).join('');
    const many = await runGml(houseXml({ id: 'many', at: [x, y, 0], more }));
    assert.deepEqual(many.codes, ['tooManyAttributes']);
    assert.equal(Object.keys(many.tile.rows[0]!).length, 1002);
  },
);

test('pictures outside of the folder or on the web are named and never read', async () => {
  const look = (uri: string, ring: string): string =>
    `<app:appearance><app:Appearance><app:theme>rgb</app:theme><app:surfaceDataMember><app:ParameterizedTexture><app:imageURI>${uri}</app:imageURI><app:target uri="#${ring}"><app:TexCoordList><app:textureCoordinates ring="#${ring}_ring">0 0 1 0 1 1 0 1 0 0</app:textureCoordinates></app:TexCoordList></app:target></app:ParameterizedTexture></app:surfaceDataMember></app:Appearance></app:appearance>`;
  const uris = ['http://127.0.0.1:9/a.png', '../../../../etc/hostname.png', 'file:///etc/hostname'];
  const houses = uris.map((uri, i) =>
    houseXml({ id: `h${i}`, at: [x + i * 20, y, 0], more: look(uri, `h${i}_1`) }),
  );
  const zip = zipOfFiles({ 'town.gml': cityGml(houses.join('')) });
  const { tile, warnings } = await run(await tests.put('town.zip', zip));
  assert.equal(tile.rows.length, 3);
  assert.equal(tile.json.images, undefined);
  assert.deepEqual([...new Set(warnings.map(({ code }) => code))], ['missingTextures']);
  assert.equal(warnings.length, 3);
});

test('an archive that unpacks to far more than it holds is refused', async () => {
  const bomb = zipOfFiles({ 'town.gml': Buffer.alloc(64 << 20, 0x20) });
  assert.ok(bomb.length < 1 << 20);
  await assert.rejects(run(await tests.put('bomb.zip', bomb)), /bomb\.zip|None of the inputs/);
});
