import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { crsName } from './crs-name.ts';
import type { FeaturePlace } from '../feature/feature.ts';
import { SourceError } from '../source/source.ts';
import { readGeoJson, type ReadOptions } from './read-geojson.ts';

interface Seen {
  readonly id: string | number | undefined;
  readonly properties: Record<string, unknown>;
  readonly problem: string | undefined;
  /** Type, and positions in rings in polygons. */
  readonly parts: readonly (readonly [string, number[][][][]])[];
  readonly place: FeaturePlace;
}

async function* chunked(bytes: Uint8Array, size: number): AsyncGenerator<Uint8Array, void> {
  for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size);
}

async function read(text: string | Uint8Array, size = 7, options: ReadOptions = {}): Promise<Seen[]> {
  const seen: Seen[] = [];
  const bytes = typeof text === 'string' ? new TextEncoder().encode(text) : text;
  const count = await readGeoJson(
    chunked(bytes, size),
    ({ id, properties, problem, geometry }, place) => {
      const parts = geometry.parts.map(({ type, polygonStart, polygonEnd }) => {
        const polygons: number[][][][] = [];
        for (let polygon = polygonStart; polygon < polygonEnd; polygon++) {
          const rings: number[][][] = [];
          for (
            let ring = polygon === 0 ? 0 : geometry.polygonEnds[polygon - 1]!;
            ring < geometry.polygonEnds[polygon]!;
            ring++
          ) {
            const positions: number[][] = [];
            for (let i = ring === 0 ? 0 : geometry.ringEnds[ring - 1]!; i < geometry.ringEnds[ring]!; i++) {
              positions.push([geometry.coordinates[i * 2]!, geometry.coordinates[i * 2 + 1]!]);
            }
            rings.push(positions);
          }
          polygons.push(rings);
        }
        return [type, polygons] as const;
      });
      seen.push({ id, properties, problem, parts, place: place() });
    },
    options,
  );
  assert.equal(count, seen.length);
  return seen;
}

const fails = async (
  text: string | Uint8Array,
  expected: { code: string; message?: RegExp; line?: number; feature?: number },
) => {
  await assert.rejects(read(text), (error) => {
    assert.ok(error instanceof SourceError, String(error));
    assert.equal(error.code, expected.code);
    if (expected.message !== undefined) assert.match(error.message, expected.message);
    if (expected.line !== undefined) assert.equal(error.place.line, expected.line);
    if (expected.feature !== undefined) assert.equal(error.place.feature, expected.feature);
    return true;
  });
};

const number = fc.oneof(
  fc.double({ noNaN: true, noDefaultInfinity: true }),
  fc.integer(),
  fc.integer({ min: -1_800_000_000, max: 1_800_000_000 }).map((value) => value / 1e7),
);
const position = fc.tuple(number, number);
const line = fc.array(position, { minLength: 1, maxLength: 6 });
const rings = fc.array(line, { minLength: 1, maxLength: 3 });
/** Each with the flat form that the reader should give it. */
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

test('whatever the order of members, the white space, the frame and the chunks, features come out as they went in', async () => {
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

test('no text, however broken, does anything but give features or fail with its place', async () => {
  const valid =
    '{"type":"FeatureCollection","features":[{"type":"Feature","id":1,"geometry":{"type":"Polygon","coordinates":[[[0,0],[1,0],[1.5e0,1],[0,0]]]},"properties":{"a\\"":"\\u00e4"}},{"type":"Feature","geometry":null,"properties":null}]}';
  const edit = fc.record({
    at: fc.nat({ max: valid.length - 1 }),
    remove: fc.nat({ max: 3 }),
    insert: fc.constantFrom(
      '',
      '"',
      '{',
      '}',
      '[',
      ']',
      ',',
      ':',
      '1',
      '-',
      '.',
      'e',
      '\\',
      '\0',
      'null',
      '\n',
      '[[[[[[',
    ),
  });
  await fc.assert(
    fc.asyncProperty(
      fc.array(edit, { minLength: 1, maxLength: 3 }),
      fc.integer({ min: 1, max: 300 }),
      async (edits, size) => {
        let text: string = valid;
        for (const { at, remove, insert } of edits)
          text = text.slice(0, at) + insert + text.slice(at + remove);
        try {
          await read(text, size);
        } catch (error) {
          assert.ok(error instanceof SourceError, String((error as Error).stack));
        }
      },
    ),
    { numRuns: 3000 },
  );
});

const point = '{"type":"Feature","geometry":{"type":"Point","coordinates":[1,2]},"properties":{}}';

test('broken JSON is refused with its line and the number of its feature', async () => {
  const pretty = JSON.stringify(JSON.parse(point), null, 1);
  await fails(`${pretty}\n${pretty}\n${pretty.replace(']', '')}\n${pretty}`, {
    code: 'brokenJson',
    line: 31,
    feature: 3,
  });
  await fails(`${point}\n{"type":"Feature","geometry":{"type":"Po`, {
    code: 'brokenJson',
    line: 2,
    feature: 2,
    message: /cut off/,
  });
  await fails(`{"type":"FeatureCollection","features":[${point}${point}]}`, {
    code: 'brokenJson',
    feature: 2,
  });
  await fails(`{"type":"FeatureCollection","features":[${point},]}`, { code: 'brokenJson', feature: 2 });
  await fails(`{"type":"FeatureCollection","features":[${point}`, { code: 'brokenJson', message: /cut off/ });
  await fails('{"type":"Point","coordinates":[NaN,1]}', { code: 'brokenJson' });
  await fails('{"type":"Point","coordinates":[1,2,]}', { code: 'brokenJson' });
  await fails('{"type":"Point","coordinates":[01,2]}', { code: 'brokenJson' });
  await fails('<html>', { code: 'brokenJson', line: 1 });
});

test('of one object per line, a line that is no JSON is a feature with a problem, and what follows is read', async () => {
  const bad = [
    '{"type":"Feature","geometry":{"type":"Point","coordinates":[1,2}}',
    '{"type":"Feature","properties":{"a":"not closed},"geometry":null}',
    // its brackets are closed by nothing, so that all that follows could belong to it
    '{"type":"Feature","properties":{"a":{"b":[1},"geometry":{"type":"Point","coordinates":[1,2]}',
    '{"type":"Feature","properties":{"a":1',
    'Feature 7',
    `${point} and more`,
  ];
  for (const [separator, before] of [
    ['\n', ''],
    ['\r\n', ''],
    ['\n', '\u001e'],
  ] as const) {
    for (const [number, line] of bad.entries()) {
      for (const lines of [
        [point, point, line, point, point],
        [point, line, line, point],
        [point, point, line, ''],
      ]) {
        const text = lines.map((one) => (one === '' ? one : before + one)).join(separator);
        const seen = await read(text, 11);
        const wrong = lines.flatMap((one, i) => (one === line ? [i + 1] : []));
        const found = seen.flatMap(({ problem, place }) =>
          problem?.startsWith('it is not valid JSON') ? [place.line] : [],
        );
        assert.deepEqual(found, wrong, `${number}: ${JSON.stringify(text)}`);
        const right = lines.filter((one) => one === point).length + (number === 5 ? wrong.length : 0);
        assert.equal(seen.filter(({ problem }) => problem === undefined).length, right);
      }
    }
  }
  const first = await read(`${bad[0]}\n${point}\n${point}\n`, 11);
  assert.deepEqual(
    first.map(({ problem }) => problem === undefined),
    [false, true, true],
  );
});

test('many bad lines cost no more than their length, however long the file is behind them', async () => {
  const bad = '{"type":"Feature","properties":{"a":{"b":1},"geometry":null}';
  const text = `${point}\n`.repeat(10) + `${bad}\n${point}\n`.repeat(20_000);
  const seen = await read(text, 1 << 16);
  assert.equal(seen.filter(({ problem }) => problem !== undefined).length, 20_000);
  assert.equal(seen.length, 40_010);
});

test('other JSON and other encodings are refused, each with its own code', async () => {
  await fails('{"type":"Topology","objects":{}}', { code: 'notGeoJson', message: /Topology/ });
  await fails(Buffer.from(point, 'utf16le'), { code: 'unknownEncoding', message: /UTF-16/ });
  await assert.rejects(read(point, 7, { encoding: 'klingon' }), { code: 'unknownEncoding' });
});

test('geometries that are wrong in shape are features with a problem, and what follows is read', async () => {
  const wrong = [
    '{"type":"Point","coordinates":[1]}',
    '{"type":"Point","coordinates":[[1,2]]}',
    '{"type":"Polygon","coordinates":[[1,2],[3,4]]}',
    '{"type":"Polygon","coordinates":[[[1,2],[3,4]],[5,6]]}',
    '{"type":"Point","coordinates":["1","2"]}',
    '{"type":"Point","coordinates":[null,2]}',
    '{"type":"LineString","coordinates":[[1,2],null]}',
    '{"type":"Point","coordinates":[1,[2]]}',
    '{"type":"Circle","coordinates":[1,2]}',
    '{"type":"Point"}',
    '{"type":"Point","coordinates":{}}',
    '{"coordinates":[1,2]}',
    '[1,2]',
    '{"type":"MultiPolygon","coordinates":[[[[[[[[1,2]]]]]]]]}',
  ];
  for (const shape of wrong) {
    const seen = await read(`${point}\n{"type":"Feature","geometry":${shape},"properties":{}}\n${point}`);
    assert.deepEqual(
      seen.map(({ problem }) => problem === undefined),
      [true, false, true],
      shape,
    );
    assert.equal(seen[1]!.place.line, 2);
  }
});

test('no geometry, an empty one and an empty collection are no problem and no parts', async () => {
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

test('a feature larger than permitted is refused instead of filling the memory', async () => {
  const long = `{"type":"Feature","geometry":null,"properties":{"text":"${'x'.repeat(5_000_000)}"}}`;
  await assert.rejects(read(long, 100_000, { maxFeatureBytes: 2_000_000 }), { code: 'featureTooLarge' });
  assert.equal((await read(long, 100_000)).length, 1);
});

test('the CRS is reported, before the features or late', async () => {
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
