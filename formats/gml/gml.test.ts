import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { expectedParts, type Geometry } from '../wkb/testing.ts';
import { readFileOf, survivesMutations, type SeenFeature } from '../xml/testing.ts';
import { gmlFormat } from './format.ts';
import { cpuTime } from '../testing-cpu-time.ts';

const namespaces =
  'xmlns:wfs="http://www.opengis.net/wfs/2.0" xmlns:gml="http://www.opengis.net/gml/3.2" xmlns:a="http://example.org/a" ' +
  'xmlns:xlink="http://www.w3.org/1999/xlink" xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance"';
const wfs2 = (...features: string[]) =>
  `<?xml version="1.0" encoding="UTF-8"?>\n<wfs:FeatureCollection ${namespaces} numberMatched="${features.length}">\n` +
  `${features.map((feature) => `<wfs:member>\n${feature}\n</wfs:member>`).join('\n')}\n</wfs:FeatureCollection>`;
const ofType = (type: string, content: string, id = '1') =>
  `<a:${type} gml:id="${id}">${content}</a:${type}>`;
const withGeometry = (content: string) => wfs2(ofType('Thing', `<a:geom>${content}</a:geom>`));

const layersOf = async (content: string | Uint8Array, partBytes = 1 << 20) =>
  (await readFileOf(gmlFormat, content, { partBytes })).layers;
const only = async (content: string): Promise<SeenFeature> => {
  const layers = await layersOf(content);
  assert.equal(layers.length, 1);
  assert.equal(layers[0]!.features.length, 1);
  return layers[0]!.features[0]!;
};
const partsOf = async (geometry: string) => {
  const { parts, problem } = await only(withGeometry(geometry));
  assert.equal(problem, undefined);
  return parts;
};

test('a WFS 2.0 collection becomes a layer for each type of features, with what is nested, repeated and nil', async () => {
  const road = ofType(
    'Road',
    '<gml:boundedBy><gml:Envelope srsName="urn:ogc:def:crs:EPSG::25832"><gml:lowerCorner>1 2</gml:lowerCorner><gml:upperCorner>3 4</gml:upperCorner></gml:Envelope></gml:boundedBy>' +
      '<gml:name>A &amp; B</gml:name><a:lanes>2</a:lanes><a:code>007</a:code><a:width uom="m">3.50</a:width><a:open>true</a:open>' +
      '<a:surface xsi:nil="true"/><a:owner><a:Person><a:name>Ä</a:name><a:age>40</a:age></a:Person></a:owner>' +
      '<a:tag>x</a:tag><a:tag>y</a:tag><a:part xlink:href="#other"/><a:phone>123456789012345678</a:phone>' +
      '<a:geom><gml:LineString srsName="urn:ogc:def:crs:EPSG::25832" gml:id="g"><gml:posList>500000.5 5500000 500001 5500001</gml:posList></gml:LineString></a:geom>' +
      '<a:centre><gml:Point><gml:pos>1 2</gml:pos></gml:Point></a:centre>',
    'road.1',
  );
  const tree = ofType(
    'Tree',
    '<a:geom><gml:Point srsName="urn:ogc:def:crs:EPSG::25832"><gml:pos>1 2 3</gml:pos></gml:Point></a:geom>',
    'tree.1',
  );
  const { layers, warnings } = await readFileOf(
    gmlFormat,
    wfs2(road, tree, road.replaceAll('road.1', 'road.2')),
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

test('the collections of WFS 1.0 and 1.1, of GML 2, nested ones and a single feature are read', async () => {
  const gml2 = `<ogr:FeatureCollection xmlns:ogr="http://ogr.maptools.org/" xmlns:gml="http://www.opengis.net/gml">
    <gml:boundedBy><gml:Box srsName="EPSG:4326"><gml:coordinates>0,0 9,9</gml:coordinates></gml:Box></gml:boundedBy>
    <gml:featureMember><ogr:shop fid="shop.7"><ogr:geometryProperty><gml:Point><gml:coordinates>8.5,47.25</gml:coordinates></gml:Point></ogr:geometryProperty><ogr:n>1</ogr:n></ogr:shop></gml:featureMember>
    <gml:featureMember><ogr:shop fid="shop.8"><ogr:geometryProperty><gml:Point srsName="http://www.opengis.net/gml/srs/epsg.xml#4326"><gml:coord><gml:X>8.5</gml:X><gml:Y>47.25</gml:Y></gml:coord></gml:Point></ogr:geometryProperty></ogr:shop></gml:featureMember>
    </ogr:FeatureCollection>`;
  const [shops] = await layersOf(gml2);
  assert.equal(shops!.crs, 'EPSG:4326');
  for (const { parts, problem } of shops!.features) {
    assert.equal(problem, undefined);
    assert.deepEqual(parts, [['Point', [[[[8.5, 47.25]]]]]]);
  }
  assert.equal(shops!.features[0]!.id, 'shop.7');

  const point =
    '<a:geom><gml:Point srsName="urn:x-ogc:def:crs:EPSG:4326"><gml:pos>47.25 8.5</gml:pos></gml:Point></a:geom>';
  const members = `<wfs:FeatureCollection ${namespaces.replace('gml/3.2', 'gml').replace('wfs/2.0', 'wfs')}><gml:featureMembers>${ofType('A', point)}${ofType('A', '<a:A>7</a:A>')}${ofType('B', point)}</gml:featureMembers></wfs:FeatureCollection>`;
  const layers = await layersOf(members);
  assert.deepEqual(
    layers.map(({ name, featureCount }) => [name, featureCount]),
    [
      ['A', 2],
      ['B', 1],
    ],
  );
  assert.deepEqual(layers[0]!.features[1]!.properties, { A: 7 });

  const inner = wfs2(ofType('A', point)).replace(/^.*\n/, '');
  const nested = await layersOf(wfs2(inner, inner));
  assert.deepEqual(
    nested.map(({ name, featureCount }) => [name, featureCount]),
    [['A', 2]],
  );

  const single = await only(
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
  assert.deepEqual(await layersOf(wfs2()), []);
  await assert.rejects(layersOf('<html><body/></html>'), { code: 'unsupported' });
  await assert.rejects(
    layersOf('<ows:ExceptionReport xmlns:ows="o"><ows:Exception/></ows:ExceptionReport>'),
    {
      message: /error report/,
    },
  );
});

test('the axes follow how the CRS is named', async () => {
  for (const [name, expected] of [
    ['urn:ogc:def:crs:EPSG::4326', [8, 47]],
    ['urn:ogc:def:crs:EPSG:6.9:4326', [8, 47]],
    ['http://www.opengis.net/def/crs/EPSG/0/4258', [8, 47]],
    ['EPSG:4326', [47, 8]],
    ['http://www.opengis.net/gml/srs/epsg.xml#4326', [47, 8]],
    ['urn:ogc:def:crs:OGC:1.3:CRS84', [47, 8]],
    ['urn:ogc:def:crs:EPSG::25832', [47, 8]],
    ['urn:ogc:def:crs:EPSG::31467', [8, 47]],
    ['urn:ogc:def:crs,crs:EPSG::4258,crs:EPSG::5783', [8, 47]],
    ['urn:adv:crs:ETRS89_UTM32', [47, 8]],
    ['https://example.org/unknown', [47, 8]],
  ] as const)
    assert.deepEqual(
      await partsOf(`<gml:Point srsName="${name}"><gml:pos>47 8</gml:pos></gml:Point>`),
      [['Point', [[[[...expected]]]]]],
      name,
    );
});

test('a feature in another CRS than its layer is set aside, one in the same by another name is not', async () => {
  const point = (name: string, pos: string) =>
    ofType('A', `<a:geom><gml:Point srsName="${name}"><gml:pos>${pos}</gml:pos></gml:Point></a:geom>`);
  const [layer] = await layersOf(
    wfs2(point('urn:ogc:def:crs:EPSG::4326', '47 8'), point('EPSG:4326', '8 47'), point('EPSG:3857', '1 2')),
  );
  assert.deepEqual(layer!.features.map(({ parts }) => parts[0]![1][0]![0]![0]).slice(0, 2), [
    [8, 47],
    [8, 47],
  ]);
  assert.match(layer!.features[2]!.problem!, /EPSG:3857/);
});

test('interleaved types are separated at any depth, and lines are known where they are not interleaved', async () => {
  const feature = (type: string, id: number) => ofType(type, `<a:n>${id}</a:n>`, `i${id}`);
  const inner = (...features: string[]) => wfs2(...features).replace(/^.*\n/, '');
  const mixed = wfs2(
    feature('A', 0),
    inner(feature('A', 1), feature('B', 2), feature('A', 3)),
    feature('B', 4),
    inner(inner(feature('B', 5)), feature('A', 6)),
    feature('A', 7),
    feature('C', 8),
    inner(feature('A', 9), feature('C', 10)),
  );
  for (const partBytes of [1, 300, 1 << 20]) {
    const layers = await layersOf(mixed, partBytes);
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
  const grouped = wfs2(...[0, 1, 2].map((i) => feature('A', i)), ...[3, 4].map((i) => feature('B', i)));
  for (const { features } of await layersOf(grouped))
    for (const { place, id } of features) {
      const before = grouped.slice(0, grouped.indexOf(`gml:id="${id}"`));
      assert.equal(place.line, before.split('\n').length);
    }
});

test('names and numbers of a megabyte cost no time', async () => {
  const long = '1'.repeat(1 << 20);
  const spentMs = cpuTime();
  const { problem } = await only(
    withGeometry(
      `<gml:Curve srsName="EPSG:${long}" srsDimension="${long}x"><gml:segments><gml:CircleByCenterPoint><gml:pos>1 2</gml:pos><gml:radius uom="${long}">${long}x</gml:radius></gml:CircleByCenterPoint></gml:segments></gml:Curve>`,
    ),
  );
  assert.match(problem!, /radius/);
  await only(withGeometry(`<gml:Point><gml:pos>${long}e ${long}</gml:pos></gml:Point>`));
  assert.ok(spentMs() < 2000, `${spentMs()} ms`);
});

test('heights are dropped, whoever tells of them', async () => {
  const line = [
    [
      'LineString',
      [
        [
          [
            [1, 2],
            [4, 5],
          ],
        ],
      ],
    ],
  ];
  for (const text of [
    '<gml:LineString srsDimension="3"><gml:posList>1 2 3 4 5 6</gml:posList></gml:LineString>',
    '<gml:LineString><gml:posList srsDimension="3">1 2 3 4 5 6</gml:posList></gml:LineString>',
    '<gml:LineString><gml:posList count="2">1 2 3 4 5 6</gml:posList></gml:LineString>',
    '<gml:LineString><gml:pos>1 2 3</gml:pos><gml:pos>4 5 6</gml:pos></gml:LineString>',
    '<gml:LineString><gml:coordinates>1,2,3 4,5,6</gml:coordinates></gml:LineString>',
    '<gml:LineString><gml:coordinates decimal="," cs=" " ts=";">1,0 2,0 3;4 5</gml:coordinates></gml:LineString>',
    '<gml:LineString><gml:pointProperty><gml:Point><gml:pos>1 2</gml:pos></gml:Point></gml:pointProperty><gml:pointProperty><gml:Point><gml:pos>4 5</gml:pos></gml:Point></gml:pointProperty></gml:LineString>',
    '<gml:Curve srsDimension="3"><gml:segments><gml:LineStringSegment><gml:posList>1 2 3 4 5 6</gml:posList></gml:LineStringSegment></gml:segments></gml:Curve>',
  ])
    assert.deepEqual(await partsOf(text), line, text);
  assert.deepEqual(
    await partsOf('<gml:LineString><gml:posList>1 2 3 4 5 6 7 8 9</gml:posList></gml:LineString>'),
    [
      [
        'LineString',
        [
          [
            [
              [1, 2],
              [4, 5],
              [7, 8],
            ],
          ],
        ],
      ],
    ],
  );
});

test('curves are joined from their segments, reversed where they run backwards', async () => {
  const line = (list: string) => `<gml:LineString><gml:posList>${list}</gml:posList></gml:LineString>`;
  assert.deepEqual(
    await partsOf(
      `<gml:CompositeCurve><gml:curveMember>${line('0 0 1 0')}</gml:curveMember><gml:curveMember><gml:OrientableCurve orientation="-"><gml:baseCurve>${line('2 2 1 0')}</gml:baseCurve></gml:OrientableCurve></gml:curveMember></gml:CompositeCurve>`,
    ),
    [
      [
        'LineString',
        [
          [
            [
              [0, 0],
              [1, 0],
              [2, 2],
            ],
          ],
        ],
      ],
    ],
  );
  const ring = (list: string) => `<gml:LinearRing><gml:posList>${list}</gml:posList></gml:LinearRing>`;
  const polygon = `<gml:Polygon><gml:exterior>${ring('0 0 9 0 9 9 0 0')}</gml:exterior><gml:interior><gml:Ring><gml:curveMember>${line('2 1 3 1 3 2')}</gml:curveMember><gml:curveMember>${line('3 2 2 1')}</gml:curveMember></gml:Ring></gml:interior></gml:Polygon>`;
  const rings = [
    [
      [0, 0],
      [9, 0],
      [9, 9],
      [0, 0],
    ],
    [
      [2, 1],
      [3, 1],
      [3, 2],
      [2, 1],
    ],
  ];
  assert.deepEqual(await partsOf(polygon), [['Polygon', [rings]]]);
  const patch = polygon.replaceAll('gml:Polygon>', 'gml:PolygonPatch>');
  assert.deepEqual(await partsOf(`<gml:Surface><gml:patches>${patch}</gml:patches></gml:Surface>`), [
    ['Polygon', [rings]],
  ]);
  assert.deepEqual(await partsOf(`<gml:Surface><gml:patches>${patch}${patch}</gml:patches></gml:Surface>`), [
    ['MultiPolygon', [rings, rings]],
  ]);
  assert.deepEqual(
    await partsOf(
      `<gml:MultiSurface><gml:surfaceMembers>${polygon}<gml:CompositeSurface><gml:surfaceMember>${polygon}</gml:surfaceMember></gml:CompositeSurface></gml:surfaceMembers></gml:MultiSurface>`,
    ),
    [['MultiPolygon', [rings, rings]]],
  );
  assert.deepEqual(
    await partsOf(
      `<gml:MultiGeometry><gml:geometryMember><gml:Point><gml:pos>1 2</gml:pos></gml:Point></gml:geometryMember><gml:geometryMember>${polygon}</gml:geometryMember></gml:MultiGeometry>`,
    ),
    [
      ['Point', [[[[1, 2]]]]],
      ['Polygon', [rings]],
    ],
  );
  assert.deepEqual(
    await partsOf(
      '<gml:Envelope><gml:lowerCorner>1 2</gml:lowerCorner><gml:upperCorner>3 4</gml:upperCorner></gml:Envelope>',
    ),
    [
      [
        'Polygon',
        [
          [
            [
              [1, 2],
              [3, 2],
              [3, 4],
              [1, 4],
              [1, 2],
            ],
          ],
        ],
      ],
    ],
  );
});

test('arcs and circles become chords that keep to them', async () => {
  const curve = (segments: string, attributes = '') =>
    `<gml:Curve ${attributes}><gml:segments>${segments}</gml:segments></gml:Curve>`;
  const centred = '<gml:pos>10 20</gml:pos><gml:radius uom="m">5</gml:radius>';
  const cases = [
    ['<gml:Arc><gml:posList>15 20 10 25 5 20</gml:posList></gml:Arc>', [15, 20], [5, 20]],
    [
      '<gml:ArcString><gml:posList>15 20 10 25 5 20 10 15 15 20</gml:posList></gml:ArcString>',
      [15, 20],
      [15, 20],
    ],
    ['<gml:Circle><gml:posList>15 20 10 25 5 20</gml:posList></gml:Circle>', [15, 20], [15, 20]],
    ['<gml:Circle><gml:posList>15 20 10 15 5 20</gml:posList></gml:Circle>', [15, 20], [15, 20]],
    [`<gml:CircleByCenterPoint>${centred}</gml:CircleByCenterPoint>`, [15, 20], [15, 20]],
    [
      `<gml:ArcByCenterPoint>${centred}<gml:startAngle>90</gml:startAngle><gml:endAngle>0</gml:endAngle></gml:ArcByCenterPoint>`,
      [10, 25],
      [15, 20],
    ],
  ] as const;
  for (const [segment, first, last] of cases) {
    const [[type, [[positions]]]] = (await partsOf(curve(segment))) as [[string, [[number[][]]]]];
    assert.equal(type, 'LineString');
    assert.ok(positions.length > 20 && positions.length < 210, segment);
    for (const [x, y] of positions) assert.ok(Math.abs(Math.hypot(x! - 10, y! - 20) - 5) < 1e-9, segment);
    for (const [found, expected] of [
      [positions[0]!, first],
      [positions.at(-1)!, last],
    ] as const)
      assert.ok(Math.hypot(found[0]! - expected[0], found[1]! - expected[1]) < 1e-9, segment);
  }
  const turned = (clockwise: boolean) =>
    `<gml:Circle><gml:posList>15 20 10 ${clockwise ? 15 : 25} 5 20</gml:posList></gml:Circle>`;
  for (const clockwise of [false, true]) {
    const [[, [[positions]]]] = (await partsOf(curve(turned(clockwise)))) as [[string, [[number[][]]]]];
    assert.equal(positions[1]![1]! < 20, clockwise);
  }
  const degrees = await only(
    withGeometry(
      curve(
        `<gml:CircleByCenterPoint>${centred}</gml:CircleByCenterPoint>`,
        'srsName="urn:ogc:def:crs:EPSG::4326"',
      ),
    ),
  );
  assert.match(degrees.problem!, /metres/);
});

test('geometries that are elsewhere, three-dimensional or wrong are set aside with words', async () => {
  for (const [geometry, words] of [
    ['<gml:Solid><gml:exterior/></gml:Solid>', /Solid/],
    ['<gml:MultiCurve><gml:curveMember xlink:href="#c"/></gml:MultiCurve>', /xlink:href="#c"/],
    ['<gml:Point><gml:pos>1</gml:pos></gml:Point>', /1 numbers/],
    ['<gml:Point><gml:pos>1 INF</gml:pos></gml:Point>', /finite/],
    ['<gml:Point><gml:pos>1 2</gml:pos><gml:pos>1 2</gml:pos></gml:Point>', /more than one/],
    ['<gml:LineString><gml:posList>1 2 3 4 5</gml:posList></gml:LineString>', /multiple of/],
    ['<gml:LineString><gml:posList>1,2 3,4</gml:posList></gml:LineString>', /finite/],
    [
      '<gml:Polygon><gml:interior><gml:LinearRing><gml:posList>1 2 3 4 5 6 1 2</gml:posList></gml:LinearRing></gml:interior></gml:Polygon>',
      /exterior/,
    ],
    [
      '<gml:Curve><gml:segments><gml:Arc><gml:posList>1 2 3 4</gml:posList></gml:Arc></gml:segments></gml:Curve>',
      /Arc/,
    ],
    ['<gml:Curve><gml:segments><gml:BSpline/></gml:segments></gml:Curve>', /BSpline/],
    ['<gml:Point><gml:coord><gml:X>1</gml:X></gml:coord></gml:Point>', /coord/],
  ] as const)
    assert.match((await only(withGeometry(geometry))).problem ?? '', words, geometry);
});

test('large files are divided, and every feature is read once with its place', async () => {
  const feature = (type: string, i: number) =>
    ofType(
      type,
      `<a:n>${i}</a:n><a:geom><gml:Point><gml:pos>${i} ${i}</gml:pos></gml:Point></a:geom>`,
      `${type}.${i}`,
    );
  const features = Array.from({ length: 500 }, (_, i) => feature(i % 3 === 0 ? 'A' : 'B', i));
  const text = wfs2(
    ...features.slice(0, 250),
    '<!-- <wfs:member> -->\n<a:C gml:id="c"><a:note><![CDATA[</a:C><wfs:member>]]></a:note></a:C>',
    ...features.slice(250),
  );
  const layers = await layersOf(text, 10_000);
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
  const utf16 = await layersOf(Buffer.from(`\ufeff${text.replace('UTF-8', 'UTF-16')}`, 'utf16le'), 10_000);
  assert.deepEqual(
    utf16.map(({ features: seen }) => seen.map(({ properties }) => properties)),
    layers.map(({ features: seen }) => seen.map(({ properties }) => properties)),
  );
});

const number = fc.oneof(
  fc.double({ noNaN: true, noDefaultInfinity: true }),
  fc.integer({ min: -1_800_000_000, max: 1_800_000_000 }).map((value) => value / 1e7),
);
const position = fc.tuple(number, number);
const line = fc.array(position, { minLength: 1, maxLength: 6 });
const rings = fc.array(line, { minLength: 1, maxLength: 3 });
const simple: fc.Arbitrary<Geometry> = fc.oneof(
  fc.record({ type: fc.constant('Point'), coordinates: position }),
  fc.record({ type: fc.constant('LineString'), coordinates: line }),
  fc.record({ type: fc.constant('Polygon'), coordinates: rings }),
  fc.record({ type: fc.constant('MultiPoint'), coordinates: line }),
  fc.record({ type: fc.constant('MultiLineString'), coordinates: rings }),
  fc.record({
    type: fc.constant('MultiPolygon'),
    coordinates: fc.array(rings, { minLength: 1, maxLength: 3 }),
  }),
);
const geometry: fc.Arbitrary<Geometry> = fc.oneof(
  simple,
  fc.record({
    type: fc.constant('GeometryCollection'),
    geometries: fc.array(simple, { minLength: 1, maxLength: 3 }),
  }),
);
const multis: Readonly<Record<string, string>> = {
  MultiPoint: 'MultiPoint point',
  MultiLineString: 'MultiCurve curve',
  MultiPolygon: 'MultiSurface surface',
};

function encode({ type, coordinates, geometries }: Geometry): string {
  const list = (positions: number[][]) =>
    `<gml:posList srsDimension="3">${positions.map(([x, y]) => `${x} ${y} 7`).join('\n ')}</gml:posList>`;
  if (geometries !== undefined)
    return `<gml:MultiGeometry>${geometries.map((member) => `<gml:geometryMember>${encode(member)}</gml:geometryMember>`).join('')}</gml:MultiGeometry>`;
  if (multis[type] !== undefined) {
    const [name, member] = multis[type].split(' ');
    const members = (coordinates as unknown[]).map(
      (own) =>
        `<gml:${member}Member>${encode({ type: type.slice(5), coordinates: own })}</gml:${member}Member>`,
    );
    return `<gml:${name}>${members.join('')}</gml:${name}>`;
  }
  if (type === 'Point')
    return `<gml:Point><gml:pos>${(coordinates as number[]).join(' ')}</gml:pos></gml:Point>`;
  if (type === 'LineString') return `<gml:LineString>${list(coordinates as number[][])}</gml:LineString>`;
  const ringsOf = (coordinates as number[][][]).map((ring, i) => {
    const kind = i === 0 ? 'exterior' : 'interior';
    return `<gml:${kind}><gml:LinearRing>${list(ring)}</gml:LinearRing></gml:${kind}>`;
  });
  return `<gml:Polygon>${ringsOf.join('')}</gml:Polygon>`;
}

test('features come out as they were written', async () => {
  const value = fc.oneof(
    fc
      .string({ unit: 'grapheme', minLength: 1 })
      .filter((text) => text.trim() === text && !/^[-\d]|^(?:true|false)$/.test(text)),
    fc.integer(),
    fc
      .double({ noNaN: true, noDefaultInfinity: true, min: -1e15, max: 1e15 })
      .filter((double) => !/^-?\de|^-0$/.test(String(double))),
    fc.boolean(),
  );
  const escape = (text: string) => text.replaceAll('&', '&amp;').replaceAll('<', '&#60;');
  const feature = fc.record({
    geometry,
    properties: fc.dictionary(fc.stringMatching(/^p[a-zA-Z_]{0,5}$/), value, {
      maxKeys: 4,
      noNullPrototype: true,
    }),
  });
  await fc.assert(
    fc.asyncProperty(
      fc.array(feature, { minLength: 1, maxLength: 5 }),
      fc.integer({ min: 1, max: 5000 }),
      async (given, partBytes) => {
        const text = wfs2(
          ...given.map(({ geometry: shape, properties }, i) =>
            ofType(
              'T',
              Object.entries(properties)
                .map(([key, own]) => `<a:${key}>${escape(Object.is(own, -0) ? '0' : String(own))}</a:${key}>`)
                .join('') + `<a:geom>${encode(shape)}</a:geom>`,
              `f${i}`,
            ),
          ),
        );
        const [layer] = await layersOf(text, partBytes);
        const plain = (features: unknown) => JSON.parse(JSON.stringify(features)) as unknown;
        assert.deepEqual(
          plain(
            layer!.features.map(({ id, properties, parts, problem }) => ({ id, properties, parts, problem })),
          ),
          plain(
            given.map(({ geometry: shape, properties }, i) => ({
              id: `f${i}`,
              properties,
              parts: expectedParts(shape),
            })),
          ),
        );
      },
    ),
    { numRuns: 60 },
  );
});

test('200 damaged files give features or an error, and never harm', () =>
  survivesMutations(
    gmlFormat,
    wfs2(
      ...Array.from({ length: 12 }, (_, i) =>
        ofType(
          i % 3 === 0 ? 'A' : 'B',
          `<a:n>${i}</a:n><a:geom srsName="EPSG:25832"><gml:Surface srsDimension="3"><gml:patches><gml:PolygonPatch><gml:exterior><gml:Ring><gml:curveMember><gml:Curve><gml:segments><gml:ArcString><gml:posList>0 0 1 1 1 2 3 0 2 0 0 1</gml:posList></gml:ArcString></gml:segments></gml:Curve></gml:curveMember></gml:Ring></gml:exterior></gml:PolygonPatch></gml:patches></gml:Surface></a:geom>`,
        ),
      ),
    ),
  ));
