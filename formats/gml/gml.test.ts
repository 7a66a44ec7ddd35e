import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readFileOf } from '../xml/testing.ts';
import { gmlFormat } from './format.ts';
import { namespaces, wfsCollection, featureXml, readLayers, onlyFeature } from './testing.ts';

test('a WFS 2.0 collection becomes one layer per feature type, with nested, repeated and nil properties', async () => {
  const road = featureXml(
    'Road',
    '<gml:boundedBy><gml:Envelope srsName="urn:ogc:def:crs:EPSG::25832"><gml:lowerCorner>1 2</gml:lowerCorner><gml:upperCorner>3 4</gml:upperCorner></gml:Envelope></gml:boundedBy>' +
      '<gml:name>A &amp; B</gml:name><a:lanes>2</a:lanes><a:code>007</a:code><a:width uom="m">3.50</a:width><a:open>true</a:open>' +
      '<a:surface xsi:nil="true"/><a:owner><a:Person><a:name>Ä</a:name><a:age>40</a:age></a:Person></a:owner>' +
      '<a:tag>x</a:tag><a:tag>y</a:tag><a:part xlink:href="#other"/><a:phone>123456789012345678</a:phone>' +
      '<a:geom><gml:LineString srsName="urn:ogc:def:crs:EPSG::25832" gml:id="g"><gml:posList>500000.5 5500000 500001 5500001</gml:posList></gml:LineString></a:geom>' +
      '<a:centre><gml:Point><gml:pos>1 2</gml:pos></gml:Point></a:centre>',
    'road.1',
  );
  const tree = featureXml(
    'Tree',
    '<a:geom><gml:Point srsName="urn:ogc:def:crs:EPSG::25832"><gml:pos>1 2 3</gml:pos></gml:Point></a:geom>',
    'tree.1',
  );
  const { layers, warnings } = await readFileOf(
    gmlFormat,
    wfsCollection(road, tree, road.replaceAll('road.1', 'road.2')),
  );
  assert.deepEqual(
    layers.map(({ name, crs, featureCount }) => [name, crs, featureCount]),
    [
      ['Road', 'urn:ogc:def:crs:EPSG::25832', 2],
      ['Tree', 'urn:ogc:def:crs:EPSG::25832', 1],
    ],
  );
  const [first, second] = layers[0]!.features;
  assert.deepEqual([first!.id, second!.id, first!.problem], ['road.1', 'road.2', undefined]);
  assert.deepEqual(first!.properties, {
    name: 'A & B',
    lanes: 2,
    code: '007',
    width: 3.5,
    open: true,
    surface: null,
    'owner.Person.name': 'Ä',
    'owner.Person.age': 40,
    tag: ['x', 'y'],
    part: '#other',
    phone: '123456789012345678',
  });
  assert.deepEqual(first!.parts, [
    [
      'LineString',
      [
        [
          [
            [500000.5, 5500000],
            [500001, 5500001],
          ],
        ],
      ],
    ],
  ]);
  assert.deepEqual(layers[1]!.features[0]!.parts, [['Point', [[[[1, 2]]]]]]);
  assert.deepEqual(
    warnings.map(({ code }) => code),
    ['furtherGeometries'],
  );
});

test('WFS 1.0 and 1.1 collections, GML 2, nested collections and a single feature are read', async () => {
  const gml2 = `<ogr:FeatureCollection xmlns:ogr="http://ogr.maptools.org/" xmlns:gml="http://www.opengis.net/gml">
    <gml:boundedBy><gml:Box srsName="EPSG:4326"><gml:coordinates>0,0 9,9</gml:coordinates></gml:Box></gml:boundedBy>
    <gml:featureMember><ogr:shop fid="shop.7"><ogr:geometryProperty><gml:Point><gml:coordinates>8.5,47.25</gml:coordinates></gml:Point></ogr:geometryProperty><ogr:n>1</ogr:n></ogr:shop></gml:featureMember>
    <gml:featureMember><ogr:shop fid="shop.8"><ogr:geometryProperty><gml:Point srsName="http://www.opengis.net/gml/srs/epsg.xml#4326"><gml:coord><gml:X>8.5</gml:X><gml:Y>47.25</gml:Y></gml:coord></gml:Point></ogr:geometryProperty></ogr:shop></gml:featureMember>
    </ogr:FeatureCollection>`;
  const [shops] = await readLayers(gml2);
  assert.equal(shops!.crs, 'EPSG:4326');
  for (const { parts, problem } of shops!.features) {
    assert.equal(problem, undefined);
    assert.deepEqual(parts, [['Point', [[[[8.5, 47.25]]]]]]);
  }
  assert.equal(shops!.features[0]!.id, 'shop.7');

  const point =
    '<a:geom><gml:Point srsName="urn:x-ogc:def:crs:EPSG:4326"><gml:pos>47.25 8.5</gml:pos></gml:Point></a:geom>';
  const members = `<wfs:FeatureCollection ${namespaces.replace('gml/3.2', 'gml').replace('wfs/2.0', 'wfs')}><gml:featureMembers>${featureXml('A', point)}${featureXml('A', '<a:A>7</a:A>')}${featureXml('B', point)}</gml:featureMembers></wfs:FeatureCollection>`;
  const layers = await readLayers(members);
  assert.deepEqual(
    layers.map(({ name, featureCount }) => [name, featureCount]),
    [
      ['A', 2],
      ['B', 1],
    ],
  );
  assert.deepEqual(layers[0]!.features[1]!.properties, { A: 7 });

  const inner = wfsCollection(featureXml('A', point)).replace(/^.*\n/, '');
  const nested = await readLayers(wfsCollection(inner, inner));
  assert.deepEqual(
    nested.map(({ name, featureCount }) => [name, featureCount]),
    [['A', 2]],
  );

  const single = await onlyFeature(
    `<a:Lake ${namespaces} gml:id="l"><a:depth>5</a:depth><a:geom><gml:MultiCurve><gml:curveMember><gml:LineString><gml:posList>1 2 3 4</gml:posList></gml:LineString></gml:curveMember></gml:MultiCurve></a:geom></a:Lake>`,
  );
  assert.deepEqual([single.id, single.properties], ['l', { depth: 5 }]);
  assert.deepEqual(single.parts, [
    [
      'MultiLineString',
      [
        [
          [
            [1, 2],
            [3, 4],
          ],
        ],
      ],
    ],
  ]);
  assert.deepEqual(await readLayers(wfsCollection()), []);
  await assert.rejects(readLayers('<html><body/></html>'), { code: 'unsupported' });
  await assert.rejects(
    readLayers('<ows:ExceptionReport xmlns:ows="o"><ows:Exception/></ows:ExceptionReport>'),
    {
      message: /error report/,
    },
  );
});

test('a feature in another CRS than its layer is rejected, but not one that names the same CRS differently', async () => {
  const point = (name: string, pos: string) =>
    featureXml('A', `<a:geom><gml:Point srsName="${name}"><gml:pos>${pos}</gml:pos></gml:Point></a:geom>`);
  const [layer] = await readLayers(
    wfsCollection(
      point('urn:ogc:def:crs:EPSG::4326', '47 8'),
      point('EPSG:4326', '8 47'),
      point('EPSG:3857', '1 2'),
    ),
  );
  assert.deepEqual(layer!.features.map(({ parts }) => parts[0]![1][0]![0]![0]).slice(0, 2), [
    [8, 47],
    [8, 47],
  ]);
  assert.match(layer!.features[2]!.problem!, /EPSG:3857/);
});

test('interleaved types are separated at any depth, and line numbers are known unless types are interleaved', async () => {
  const feature = (type: string, id: number) => featureXml(type, `<a:n>${id}</a:n>`, `i${id}`);
  const inner = (...features: string[]) => wfsCollection(...features).replace(/^.*\n/, '');
  const mixed = wfsCollection(
    feature('A', 0),
    inner(feature('A', 1), feature('B', 2), feature('A', 3)),
    feature('B', 4),
    inner(inner(feature('B', 5)), feature('A', 6)),
    feature('A', 7),
    feature('C', 8),
    inner(feature('A', 9), feature('C', 10)),
  );
  for (const partBytes of [1, 300, 1 << 20]) {
    const layers = await readLayers(mixed, partBytes);
    const ids = layers.map(({ name, features }) => [
      name,
      features.map(({ id }) => Number(String(id).slice(1))),
    ]);
    assert.deepEqual(ids, [
      ['A', [0, 1, 3, 6, 7, 9]],
      ['B', [2, 4, 5]],
      ['C', [8, 10]],
    ]);
  }
  const grouped = wfsCollection(
    ...[0, 1, 2].map((i) => feature('A', i)),
    ...[3, 4].map((i) => feature('B', i)),
  );
  for (const { features } of await readLayers(grouped))
    for (const { place, id } of features) {
      const before = grouped.slice(0, grouped.indexOf(`gml:id="${id}"`));
      assert.equal(place.line, before.split('\n').length);
    }
});

test('large files are divided into parts, and every feature is read once with its position', async () => {
  const feature = (type: string, i: number) =>
    featureXml(
      type,
      `<a:n>${i}</a:n><a:geom><gml:Point><gml:pos>${i} ${i}</gml:pos></gml:Point></a:geom>`,
      `${type}.${i}`,
    );
  const features = Array.from({ length: 500 }, (_, i) => feature(i % 3 === 0 ? 'A' : 'B', i));
  const text = wfsCollection(
    ...features.slice(0, 250),
    '<!-- <wfs:member> -->\n<a:C gml:id="c"><a:note><![CDATA[</a:C><wfs:member>]]></a:note></a:C>',
    ...features.slice(250),
  );
  const layers = await readLayers(text, 10_000);
  assert.deepEqual(
    layers.map(({ name, featureCount }) => [name, featureCount]),
    [
      ['A', 167],
      ['B', 333],
      ['C', 1],
    ],
  );
  assert.ok(layers[0]!.partCount > 5);
  for (const { features: seen } of layers)
    for (const [i, { place, id }] of seen.entries()) {
      const byte = text.search(new RegExp(`<a:\\w+ gml:id="${id}"`));
      assert.deepEqual([place.feature, place.byte], [i + 1, byte]);
      if (place.line !== undefined) assert.equal(place.line, text.slice(0, byte).split('\n').length);
    }
  const utf16 = await readLayers(Buffer.from(`\ufeff${text.replace('UTF-8', 'UTF-16')}`, 'utf16le'), 10_000);
  assert.deepEqual(
    utf16.map(({ features: seen }) => seen.map(({ properties }) => properties)),
    layers.map(({ features: seen }) => seen.map(({ properties }) => properties)),
  );
});
