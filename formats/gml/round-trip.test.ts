import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { expectedParts, type Geometry } from '../wkb/testing.ts';
import { survivesMutations } from '../xml/testing.ts';
import { gmlFormat } from './format.ts';
import { cpuTime } from '../testing-cpu-time.ts';
import { wfsCollection, featureXml, withGeometry, readLayers, onlyFeature } from './testing.ts';

test('names and numbers of a megabyte take little time', async () => {
  const long = '1'.repeat(1 << 20);
  const spentMs = cpuTime();
  const { problem } = await onlyFeature(
    withGeometry(
      `<gml:Curve srsName="EPSG:${long}" srsDimension="${long}x"><gml:segments><gml:CircleByCenterPoint><gml:pos>1 2</gml:pos><gml:radius uom="${long}">${long}x</gml:radius></gml:CircleByCenterPoint></gml:segments></gml:Curve>`,
    ),
  );
  assert.match(problem!, /radius/);
  await onlyFeature(withGeometry(`<gml:Point><gml:pos>${long}e ${long}</gml:pos></gml:Point>`));
  assert.ok(spentMs() < 2000, `${spentMs()} ms`);
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

test('features are read back as they were written', async () => {
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
        const text = wfsCollection(
          ...given.map(({ geometry: shape, properties }, i) =>
            featureXml(
              'T',
              Object.entries(properties)
                .map(([key, own]) => `<a:${key}>${escape(Object.is(own, -0) ? '0' : String(own))}</a:${key}>`)
                .join('') + `<a:geom>${encode(shape)}</a:geom>`,
              `f${i}`,
            ),
          ),
        );
        const [layer] = await readLayers(text, partBytes);
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

test('200 damaged files give features or an error, in bounded time and memory', () =>
  survivesMutations(
    gmlFormat,
    wfsCollection(
      ...Array.from({ length: 12 }, (_, i) =>
        featureXml(
          i % 3 === 0 ? 'A' : 'B',
          `<a:n>${i}</a:n><a:geom srsName="EPSG:25832"><gml:Surface srsDimension="3"><gml:patches><gml:PolygonPatch><gml:exterior><gml:Ring><gml:curveMember><gml:Curve><gml:segments><gml:ArcString><gml:posList>0 0 1 1 1 2 3 0 2 0 0 1</gml:posList></gml:ArcString></gml:segments></gml:Curve></gml:curveMember></gml:Ring></gml:exterior></gml:PolygonPatch></gml:patches></gml:Surface></a:geom>`,
        ),
      ),
    ),
  ));
