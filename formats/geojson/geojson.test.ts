import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { crsName } from './crs-name.ts';
import { read, point } from './testing.ts';

const number = fc.oneof(
  fc.double({ noNaN: true, noDefaultInfinity: true }),
  fc.integer(),
  fc.integer({ min: -1_800_000_000, max: 1_800_000_000 }).map((value) => value / 1e7),
);
const position = fc.tuple(number, number);
const line = fc.array(position, { minLength: 1, maxLength: 6 });
const rings = fc.array(line, { minLength: 1, maxLength: 3 });
/** Each geometry has the parts that the reader should give it. */
const geometry = fc.oneof(
  position.map((c) => ({ given: { type: 'Point', coordinates: c }, parts: [['Point', [[[c]]]]] })),
  line.map((c) => ({ given: { type: 'MultiPoint', coordinates: c }, parts: [['MultiPoint', [[c]]]] })),
  line.map((c) => ({ given: { type: 'LineString', coordinates: c }, parts: [['LineString', [[c]]]] })),
  rings.map((c) => ({
    given: { type: 'MultiLineString', coordinates: c },
    parts: [['MultiLineString', [c]]],
  })),
  rings.map((c) => ({ given: { type: 'Polygon', coordinates: c }, parts: [['Polygon', [c]]] })),
  fc
    .array(rings, { minLength: 1, maxLength: 3 })
    .map((c) => ({ given: { type: 'MultiPolygon', coordinates: c }, parts: [['MultiPolygon', c]] })),
);
const anyGeometry = fc.oneof(
  geometry,
  fc.array(geometry, { maxLength: 3 }).map((members) => ({
    given: { type: 'GeometryCollection', geometries: members.map(({ given }) => given) },
    parts: members.flatMap(({ parts }) => parts),
  })),
);
const shuffled = (entries: [string, unknown][]) =>
  fc.shuffledSubarray(entries, { minLength: entries.length }).map((drawn) => Object.fromEntries(drawn));
const features = fc.array(
  fc
    .record({
      geometry: anyGeometry,
      properties: fc.dictionary(fc.string({ unit: 'grapheme' }), fc.jsonValue({ maxDepth: 2 }), {
        maxKeys: 4,
        noNullPrototype: true,
      }),
      id: fc.oneof(fc.string(), fc.integer()),
    })
    .chain(({ geometry: { given, parts }, properties, id }) =>
      fc.record({
        text: shuffled(Object.entries(given)).chain((shape) =>
          shuffled([
            ['type', 'Feature'],
            ['geometry', shape],
            ['properties', properties],
            ['id', id],
            ['bbox', [1, 2, 3, 4]],
          ]),
        ),
        parts: fc.constant(parts),
        properties: fc.constant(JSON.parse(JSON.stringify(properties)) as Record<string, unknown>),
        id: fc.constant(id),
      }),
    ),
  { minLength: 1, maxLength: 5 },
);

const zeros = (value: unknown): unknown => JSON.parse(JSON.stringify(value));

test('features are read as they were written, whatever the member order, white space, container and chunks', async () => {
  const frame = fc.constantFrom(
    (texts: string[]) => texts.join('\n'),
    (texts: string[]) => `${texts.join('\r\n')}\r\n`,
    (texts: string[]) => texts.map((text) => `\u001e${text}\n`).join(''),
    (texts: string[]) =>
      `\ufeff{"type":"FeatureCollection","name":"x","features":[${texts.join(',')}],"more":{"a":[1]}}`,
    (texts: string[]) =>
      `{ "crs" : null,\n "features" : [ ${texts.join(' ,\n')} ] , "type" : "FeatureCollection" }\n`,
    (texts: string[]) => texts.map((text) => `{"type":"FeatureCollection","features":[${text}]}`).join('\n'),
  );
  await fc.assert(
    fc.asyncProperty(
      features,
      frame,
      fc.constantFrom(0, 1, 2),
      fc.integer({ min: 1, max: 100 }),
      async (given, framed, indent, size) => {
        const text = framed(given.map((feature) => JSON.stringify(feature.text, undefined, indent)));
        const seen = await read(text, size);
        assert.equal(seen.length, given.length);
        for (const [i, { parts, properties, id }] of given.entries()) {
          assert.equal(seen[i]!.problem, undefined);
          assert.equal(seen[i]!.id, id);
          assert.deepEqual(seen[i]!.properties, properties);
          assert.deepEqual(zeros(seen[i]!.parts), zeros(parts));
        }
      },
    ),
    { numRuns: 400 },
  );
});

test('numbers are read to the last bit', async () => {
  const text = fc.oneof(
    fc.double({ noNaN: true, noDefaultInfinity: true }).map((value) => JSON.stringify(value)),
    fc
      .tuple(fc.bigInt({ min: 0n, max: 10n ** 25n }), fc.nat({ max: 30 }))
      .map(([a, zeroes]) => `-${a}.${'0'.repeat(zeroes)}${a}`),
    fc.tuple(fc.nat(), fc.integer({ min: -330, max: 330 })).map(([a, exponent]) => `${a}.5E${exponent}`),
  );
  await fc.assert(
    fc.asyncProperty(text, async (digits) => {
      const [feature] = await read(`{"type":"Point","coordinates":[${digits}, 0]}`);
      assert.equal(feature!.parts[0]![1][0]![0]![0]![0]! + 0, (JSON.parse(digits) as number) + 0);
    }),
    { numRuns: 1000 },
  );
});

test('a missing geometry, an empty one and an empty collection have no problem and no parts', async () => {
  for (const shape of [
    'null',
    '{"type":"Polygon","coordinates":[]}',
    '{"type":"GeometryCollection","geometries":[]}',
  ]) {
    const [feature] = await read(`{"type":"Feature","geometry":${shape},"properties":null}`);
    assert.deepEqual([feature!.problem, feature!.parts], [undefined, []], shape);
  }
  assert.deepEqual(await read('{"type":"FeatureCollection","features":[]}'), []);
  assert.deepEqual(await read(''), []);
  assert.deepEqual(await read(' \n '), []);
});

test('the CRS is reported, whether it comes before or after the features', async () => {
  const crs = '"crs":{"type":"name","properties":{"name":"urn:ogc:def:crs:EPSG::3857"}}';
  const heard: [string | undefined, boolean][] = [];
  const onCrs = (member: unknown, late: boolean): void => void heard.push([crsName(member), late]);
  await read(`{${crs},"features":[${point}]}`, 50, { onCrs });
  await read(`{"features":[${point}],${crs}}`, 50, { onCrs });
  assert.deepEqual(heard, [
    ['urn:ogc:def:crs:EPSG::3857', false],
    ['urn:ogc:def:crs:EPSG::3857', true],
  ]);
});
