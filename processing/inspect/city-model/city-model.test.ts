import assert from 'node:assert/strict';
import { test } from 'node:test';
import { gzipSync } from 'node:zlib';
import { bytesOf } from '@platen/formats/bytes/unpacked-bytes';
import { zipOfFiles } from '@platen/formats/zip/testing';
import {
  codesOf,
  endlessBytes,
  inspectFile,
  inspectSubject,
  sampleFile,
  subjectOf,
  survivesDamage,
} from '../testing-subject.ts';

const building = (id: number, [x, y]: readonly [number, number] = [691_000, 5_336_000]) => `
<core:cityObjectMember><bldg:Building gml:id="b${id}">
  <gen:stringAttribute name="owner"><gen:value>town</gen:value></gen:stringAttribute>
  <bldg:measuredHeight uom="m">${10 + id}</bldg:measuredHeight>
  <bldg:lod2Solid><gml:Solid><gml:exterior><gml:CompositeSurface><gml:surfaceMember><gml:Polygon><gml:exterior>
    <gml:LinearRing><gml:posList>${x} ${y} 500 ${x + 10} ${y} 500 ${x + 10} ${y + 10} 512 ${x} ${y} 500</gml:posList></gml:LinearRing>
  </gml:exterior></gml:Polygon></gml:surfaceMember></gml:CompositeSurface></gml:exterior></gml:Solid></bldg:lod2Solid>
  <bldg:boundedBy><bldg:RoofSurface gml:id="r${id}"/></bldg:boundedBy>
  <bldg:consistsOfBuildingPart><bldg:BuildingPart/></bldg:consistsOfBuildingPart>
</bldg:Building></core:cityObjectMember>`;

const head = (version: string, srsName: string) => `<?xml version="1.0" encoding="UTF-8"?>
<core:CityModel xmlns:core="http://www.opengis.net/citygml/${version}" xmlns:bldg="http://www.opengis.net/citygml/building/${version}"
  xmlns:gen="http://www.opengis.net/citygml/generics/${version}" xmlns:app="http://www.opengis.net/citygml/appearance/${version}"
  xmlns:gml="http://www.opengis.net/gml">
  <gml:boundedBy><gml:Envelope srsName="${srsName}" srsDimension="3">
    <gml:lowerCorner>691000 5336000 500</gml:lowerCorner><gml:upperCorner>691010 5336010 512</gml:upperCorner>
  </gml:Envelope></gml:boundedBy>`;
const appearance = `<app:appearanceMember><app:Appearance><app:theme>rgb</app:theme><app:surfaceDataMember>
  <app:ParameterizedTexture><app:imageURI>textures/a.jpg</app:imageURI></app:ParameterizedTexture>
  </app:surfaceDataMember></app:Appearance></app:appearanceMember>`;
const cityGml = (version: string, srsName: string) =>
  `${head(version, srsName)}${building(1)}${building(2)}${appearance}</core:CityModel>`;
const utm = 'urn:ogc:def:crs,crs:EPSG::25832,crs:EPSG::7837';

test('the report of CityGML of each version contains its objects, levels of detail and attributes', async () => {
  for (const version of ['1.0', '2.0', '3.0']) {
    const report = await inspectFile('town.gml', cityGml(version, utm));
    assert.deepEqual([report.format, report.formatVersion, report.kind], ['citygml', version, 'cityModel']);
    const [layer] = report.layers;
    assert.deepEqual([layer!.name, layer!.featureCount, layer!.isEstimated], ['town', 2, false]);
    assert.equal(layer!.crs!.code, 'EPSG:25832');
    assert.equal(layer!.verticalDatum, 'DHHN2016 height');
    assert.ok(Math.abs(layer!.bbox![0]! - 11.5704) < 0.01 && Math.abs(layer!.bbox![1]! - 48.15) < 0.01);
    assert.deepEqual(layer!.details!['cityObjects'], { Building: 2, BuildingPart: 2 });
    assert.deepEqual(layer!.details!['boundarySurfaces'], { RoofSurface: 2 });
    assert.deepEqual(layer!.details!['levelsOfDetail'], ['2']);
    assert.deepEqual(layer!.details!['heightRange'], [500, 512]);
    assert.deepEqual(layer!.details!['modules'], ['Appearance', 'Building', 'Core', 'Generics']);
    assert.deepEqual(layer!.fields, [
      { name: 'owner', type: 'string', examples: ['town'] },
      { name: 'measuredHeight', type: 'integer', examples: [11, 12] },
    ]);
    assert.deepEqual(codesOf(report), ['missingFiles']);
    assert.ok(report.thumbnail!.startsWith('data:image/png;base64,'));
  }
});

test('heights are named by the German surveys, by EPSG and by PROJ, or not at all', async () => {
  const datum = async (srsName: string) =>
    (await inspectFile('town.gml', cityGml('2.0', srsName))).layers[0]!.verticalDatum;
  assert.equal(await datum('urn:adv:crs:ETRS89_UTM32*DE_DHHN2016_NH'), 'DHHN2016 height');
  assert.equal(await datum('EPSG:25832+5783'), 'DHHN92 height');
  assert.equal(await datum('urn:ogc:def:crs:EPSG::5555'), 'DHHN92 height');
  assert.equal(await datum('EPSG:25832'), undefined);
});

test('textures next to a model are found by their relative path', async () => {
  const files = { 'town.gml': cityGml('2.0', utm), 'textures/a.jpg': 'x' };
  const report = await inspectSubject(subjectOf(files, 'town.gml'));
  assert.deepEqual(codesOf(report!), []);
  assert.deepEqual(report!.layers[0]!.details!['textures'], { count: 1 });
});

test('a model in gzip, in a zip and in another encoding has the same report', async () => {
  const plain = await inspectFile('town.gml', cityGml('2.0', utm));
  const gz = await inspectFile('town.gml.gz', gzipSync(cityGml('2.0', utm)));
  const zipped = await inspectFile('town.zip', zipOfFiles({ 'in/town.gml': cityGml('2.0', utm) }));
  const latin = Buffer.from(
    cityGml('2.0', utm).replace('UTF-8', 'ISO-8859-1').replaceAll('town', 'K\xf6ln'),
    'latin1',
  );
  const other = await inspectFile('town.gml', latin);
  for (const { layers } of [gz, zipped]) assert.deepEqual(layers, plain.layers);
  assert.equal(other.layers[0]!.fields[0]!.examples[0], 'K\xf6ln');
});

test('axes are in the order of the authority where that puts the model in its place, otherwise the other way', async () => {
  const at = (lower: string, upper: string, srsName: string) =>
    cityGml('2.0', srsName).replace('691000 5336000 500', lower).replace('691010 5336010 512', upper);
  const lat = 'urn:ogc:def:crs:EPSG::4326';
  const right = await inspectFile('a.gml', at('48.1 11.5 0', '48.2 11.6 10', lat));
  assert.deepEqual(right.layers[0]!.bbox, [11.5, 48.1, 11.6, 48.2]);
  const gauss = 'urn:ogc:def:crs:EPSG::31468';
  const swapped = await inspectFile('b.gml', at('4468000 5333000 0', '4468100 5333100 9', gauss));
  assert.ok(codesOf(swapped).includes('swappedAxes'));
  assert.ok(Math.abs(swapped.layers[0]!.bbox![1]! - 48.1) < 0.1);
  const far = await inspectFile('c.gml', at('10 10 0', '20 20 0', 'EPSG:25832'));
  assert.ok(codesOf(far).includes('outsideCrsArea'));
});

test('a model without a CRS is reported with suggestions', async () => {
  const report = await inspectFile('town.gml', cityGml('2.0', '').replace('srsName=""', ''));
  assert.ok(codesOf(report).includes('noCrs'));
  assert.equal(report.layers[0]!.crs!.isGuessed, true);
});

test('a DOCTYPE is refused, and extensions of an application are named', async () => {
  const bomb = cityGml('2.0', utm).replace(
    '<core:CityModel',
    '<!DOCTYPE a [<!ENTITY b "c">]><core:CityModel',
  );
  assert.deepEqual(codesOf(await inspectFile('a.gml', bomb)), ['unsupported']);
  const ade = cityGml('2.0', utm).replace(
    '<core:cityObjectMember>',
    '<core:cityObjectMember xmlns:e="https://example.org/ade"><e:Tree/></core:cityObjectMember><core:cityObjectMember>',
  );
  const report = await inspectFile('a.gml', ade);
  assert.deepEqual(report.layers[0]!.details!['extensions'], ['https://example.org/ade']);
  assert.equal((report.layers[0]!.details!['cityObjects'] as Record<string, number>)['Tree'], 1);
});

test('only a part of ten gigabytes is read, counts are estimated, and textures are found at the end', async () => {
  const { bytes, times, bytesRead } = endlessBytes(
    head('2.0', utm),
    building(1),
    `${appearance}</core:CityModel>`,
    10 * 2 ** 30,
  );
  const report = await inspectFile('state.gml', bytes);
  const [layer] = report.layers;
  assert.ok(bytesRead() < 80 * 2 ** 20, `${bytesRead()} bytes were read`);
  assert.equal(layer!.isEstimated, true);
  assert.ok(Math.abs(layer!.featureCount! / times - 1) < 0.02, `${layer!.featureCount} instead of ${times}`);
  assert.deepEqual(codesOf(report), ['missingFiles']);
  const cut = endlessBytes(head('2.0', utm), building(1), '', 2 ** 30);
  assert.deepEqual(codesOf(await inspectFile('cut.gml', cut.bytes)), ['truncatedFile']);
});

const vertices = [[0, 0, 0], [10_000, 0, 0], [10_000, 10_000, 5000]]; // prettier-ignore
const cityObject = {
  type: 'Building',
  attributes: { height: 5, use: 'school' },
  geometry: [{ type: 'MultiSurface', lod: '2.2', boundaries: [[[0, 1, 2]]] }],
};
const header = (version: string) => ({
  type: 'CityJSON',
  version,
  transform: { scale: [0.001, 0.001, 0.001], translate: [84_616, 447_422, 0] },
  metadata: { referenceSystem: 'https://www.opengis.net/def/crs/EPSG/0/7415' },
});
const cityJson = (version = '2.0') =>
  JSON.stringify({
    ...header(version),
    CityObjects: { a: cityObject, b: { type: 'BuildingPart', parents: ['a'] } },
    vertices,
  });

test('CityJSON of each version is recognised, with its type first or last', async () => {
  for (const version of ['1.0', '1.1', '2.0']) {
    for (const text of [
      cityJson(version),
      JSON.stringify(
        {
          vertices,
          CityObjects: { a: cityObject, b: { type: 'BuildingPart', parents: ['a'] } },
          ...header(version),
        },
        null,
        1,
      ),
    ]) {
      const report = await inspectFile('delft.city.json', text);
      assert.deepEqual([report.format, report.formatVersion, codesOf(report)], ['cityjson', version, []]);
      const [layer] = report.layers;
      assert.deepEqual([layer!.name, layer!.featureCount], ['delft', 1]);
      assert.deepEqual(layer!.details!['cityObjects'], { Building: 1, BuildingPart: 1 });
      assert.deepEqual(layer!.details!['levelsOfDetail'], ['2.2']);
      assert.equal(layer!.verticalDatum, 'NAP height');
      assert.deepEqual(layer!.details!['heightRange'], [0, 5]);
      assert.ok(Math.abs(layer!.bbox![0]! - 4.362) < 0.01);
      assert.ok(report.thumbnail !== undefined);
    }
  }
});

test('members of a group are counted, and the group is not', async () => {
  const CityObjects = {
    a: { ...cityObject, parents: ['g'], children: ['b'] },
    b: { type: 'BuildingPart', parents: ['a'] },
    c: { ...cityObject, parents: ['g'] },
    g: { type: 'CityObjectGroup', children: ['a', 'c'] },
  };
  const report = await inspectFile(
    'group.city.json',
    JSON.stringify({ ...header('2.0'), CityObjects, vertices }),
  );
  assert.equal(report.layers[0]!.featureCount, 2);
});

test('of CityGML, too, groups are not counted', async () => {
  const group = '<core:cityObjectMember><grp:CityObjectGroup gml:id="g"/></core:cityObjectMember>';
  const namespace = 'xmlns:grp="http://www.opengis.net/citygml/cityobjectgroup/2.0"';
  const text = cityGml('2.0', utm).replace('xmlns:gml=', `${namespace} xmlns:gml=`);
  const report = await inspectFile(
    'town.gml',
    text.replace('</core:CityModel>', `${group}</core:CityModel>`),
  );
  const { featureCount, details } = report.layers[0]!;
  assert.deepEqual(
    [featureCount, details!['cityObjects']],
    [2, { Building: 2, BuildingPart: 2, CityObjectGroup: 1 }],
  );
});

test('a CityJSONSeq is counted by its lines', async () => {
  const feature = (id: string) =>
    JSON.stringify({ type: 'CityJSONFeature', id, CityObjects: { [id]: cityObject }, vertices });
  const first = JSON.stringify({ ...header('2.0'), CityObjects: {}, vertices: [] });
  const report = await inspectFile('delft.city.jsonl', [first, feature('a'), feature('b')].join('\n'));
  assert.deepEqual([report.format, report.layers[0]!.featureCount, codesOf(report)], ['cityjsonseq', 2, []]);
  const { bytes, times } = endlessBytes(`${first}\n`, `${feature('a')}\n`, '', 3 * 2 ** 30);
  const [layer] = (await inspectFile('big.city.jsonl', bytes)).layers;
  assert.ok(Math.abs(layer!.featureCount! / times - 1) < 0.02);
});

test('only a part of CityJSON of four gigabytes is read, and its metadata is found at the end', async () => {
  const { bytes, times, bytesRead } = endlessBytes(
    '{"CityObjects":{',
    `"a":${JSON.stringify(cityObject)},`,
    `"z":${JSON.stringify(cityObject)}},${JSON.stringify(header('2.0')).slice(1, -1)},"vertices":[[0,0,0]]}`,
    4 * 2 ** 30,
  );
  const report = await inspectFile('big.city.json', bytes);
  const [layer] = report.layers;
  assert.ok(bytesRead() < 80 * 2 ** 20);
  assert.deepEqual([report.formatVersion, layer!.crs!.code, layer!.isEstimated], ['2.0', 'EPSG:7415', true]);
  assert.ok(Math.abs(layer!.featureCount! / times - 1) < 0.1, `${layer!.featureCount} instead of ${times}`);
});

test('CityJSON that is truncated, broken or nested too deep is reported as such', async () => {
  const text = cityJson();
  assert.ok(codesOf(await inspectFile('a.json', text.slice(0, -20))).includes('truncatedFile'));
  assert.ok(
    codesOf(await inspectFile('a.json', text.replace('"version"', 'version'))).includes('brokenJson'),
  );
  const deep = `{"type":"CityJSON","version":"2.0","CityObjects":{"a":{"type":"Building","geometry":[{"type":"Solid","boundaries":${'['.repeat(1e6)}${']'.repeat(1e6)}}]}},"vertices":[]}`;
  assert.equal((await inspectFile('deep.json', deep)).format, 'cityjson');
  const wrong = cityJson().replace('[[[0,1,2]]]', '[[[0,1,99]]]');
  assert.ok(codesOf(await inspectFile('a.json', wrong)).includes('badCoordinates'));
});

test('damage gives a report with an issue, in little memory', { timeout: 120_000 }, async () => {
  await survivesDamage({ 'a.gml': cityGml('2.0', utm) }, 'a.gml', 'a.gml');
  await survivesDamage({ 'a.json': cityJson() }, 'a.json', 'a.json');
  const feature = JSON.stringify({
    type: 'CityJSONFeature',
    id: 'a',
    CityObjects: { a: cityObject },
    vertices,
  });
  const sequence = [JSON.stringify({ ...header('2.0'), CityObjects: {} }), feature, feature].join('\n');
  await survivesDamage({ 'a.jsonl': sequence }, 'a.jsonl', 'a.jsonl');
  await survivesDamage({ 'a.gml.gz': gzipSync(cityGml('2.0', utm)) }, 'a.gml.gz', 'a.gml.gz');
});

test('the unpacked size of gzip is bounded', async () => {
  const bomb = gzipSync(Buffer.concat([Buffer.from(head('2.0', utm)), Buffer.alloc(150 << 20, ' ')]), {
    level: 1,
  });
  const before = process.memoryUsage().rss;
  assert.equal((await inspectFile('bomb.gml.gz', bytesOf(bomb))).format, 'citygml');
  assert.ok(process.memoryUsage().rss - before < 250 * 2 ** 20);
});

const tamana = sampleFile('city/tamana-49303425.gml');
test('a town in Japan', { skip: tamana.skip }, async () => {
  const report = await inspectFile(tamana.name, await tamana.read());
  const [layer] = report.layers;
  assert.deepEqual([report.format, report.formatVersion, layer!.featureCount], ['citygml', '2.0', 242]);
  assert.deepEqual(layer!.details!['cityObjects'], { Building: 242 });
  assert.deepEqual(layer!.details!['levelsOfDetail'], ['0', '1', '2']);
  assert.deepEqual(layer!.details!['extensions'], ['https://www.geospatial.jp/iur/uro/3.1']);
  assert.deepEqual([layer!.crs!.code, layer!.verticalDatum], ['EPSG:6697', 'JGD2011 (vertical) height']);
  assert.deepEqual(layer!.bbox!.map(Math.floor), [130, 32, 130, 32]);
  assert.deepEqual(codesOf(report), ['missingFiles']);
});

const delft = sampleFile('city/delft.city.json');
test('a town in the Netherlands', { skip: delft.skip }, async () => {
  const report = await inspectFile(delft.name, await delft.read());
  const [layer] = report.layers;
  assert.deepEqual([report.format, report.formatVersion, layer!.featureCount], ['cityjson', '2.0', 570]);
  assert.deepEqual(
    [layer!.crs!.code, layer!.verticalDatum, codesOf(report)],
    ['EPSG:7415', 'NAP height', []],
  );
  assert.equal((layer!.details!['cityObjects'] as Record<string, number>)['Building'], 160);
});
