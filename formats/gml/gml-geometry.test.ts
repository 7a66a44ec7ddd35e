import assert from 'node:assert/strict';
import { test } from 'node:test';
import { withGeometry, onlyFeature, partsOf } from './testing.ts';

test('the axis order follows from how the CRS is named', async () => {
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

test('heights are dropped, wherever the number of dimensions is given', async () => {
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

test('curves are joined from their segments, and segments that run backwards are reversed', async () => {
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

test('arcs and circles become chords whose vertices are on the arc', async () => {
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
  const degrees = await onlyFeature(
    withGeometry(
      curve(
        `<gml:CircleByCenterPoint>${centred}</gml:CircleByCenterPoint>`,
        'srsName="urn:ogc:def:crs:EPSG::4326"',
      ),
    ),
  );
  assert.match(degrees.problem!, /metres/);
});

test('geometries that are remote, three-dimensional or invalid are rejected with a reason', async () => {
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
    assert.match((await onlyFeature(withGeometry(geometry))).problem ?? '', words, geometry);
});
