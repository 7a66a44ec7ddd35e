import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { SourceError } from '../source/source.ts';
import { read, point } from './testing.ts';

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

test('any text, however broken, gives features or an error with its position', async () => {
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

test('with one object per line, a line that is not JSON becomes a feature with a problem, and the next lines are read', async () => {
  const bad = [
    '{"type":"Feature","geometry":{"type":"Point","coordinates":[1,2}}',
    '{"type":"Feature","properties":{"a":"not closed},"geometry":null}',
    // Its brackets are never closed, so that all the rest of the file could belong to it.
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

test('many bad lines cost no more than their length, however long the rest of the file', async () => {
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

test('malformed geometries become features with a problem, and the next feature is read', async () => {
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

test('a feature larger than permitted is refused instead of filling the memory', async () => {
  const long = `{"type":"Feature","geometry":null,"properties":{"text":"${'x'.repeat(5_000_000)}"}}`;
  await assert.rejects(read(long, 100_000, { maxFeatureBytes: 2_000_000 }), { code: 'featureTooLarge' });
  assert.equal((await read(long, 100_000)).length, 1);
});
