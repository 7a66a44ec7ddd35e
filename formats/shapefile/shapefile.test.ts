import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { SourceError } from '../source/source.ts';
import { mutate } from '../wkb/testing.ts';
import { encodeDbf, encodeShp, type Shape } from './testing.ts';
import { cpuTime } from '../testing-cpu-time.ts';
import { read, square, hole, point, points } from './testing-reading.ts';

const double = fc.double({ noNaN: true, noDefaultInfinity: true });
const position = fc.tuple(double, double).map(([x, y]) => [x, y]);
const line = fc.array(position, { minLength: 1, maxLength: 5 });
const lines = fc.array(line, { minLength: 1, maxLength: 3 });
const dimension = fc.constantFrom(0, 10, 20);
const anyShape = fc.oneof(
  fc.constant([{ type: 0 }, []] as const),
  fc
    .tuple(dimension, position)
    .map(([d, p]) => [{ type: 1 + d, points: [p] }, [['Point', [[[p]]]]]] as const),
  fc
    .tuple(dimension, line)
    .map(([d, ps]) => [{ type: 8 + d, points: ps }, [['MultiPoint', [[ps]]]]] as const),
  fc
    .tuple(dimension, lines)
    .map(
      ([d, parts]) =>
        [{ type: 3 + d, parts }, [[parts.length > 1 ? 'MultiLineString' : 'LineString', [parts]]]] as const,
    ),
  fc
    .tuple(dimension, line)
    .map(([d, ring]) => [{ type: 5 + d, parts: [ring] }, [['Polygon', [[ring]]]]] as const),
);

test('an encoded file is read back, with and without the index, whole and in parts', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(anyShape, { maxLength: 12 }),
      fc.constantFrom('none', 'right', 'gaps', 'short', 'rubbish'),
      fc.constantFrom(1, 300, 1e6),
      async (shapes, index, partBytes) => {
        const { shp, shx } = encodeShp(
          shapes.map(([shape]) => shape),
          index === 'gaps' ? 6 : 0,
        );
        const indexes: Record<string, Buffer> = {
          right: shx,
          gaps: shx,
          short: shx.subarray(0, Math.max(100, shx.length - 8)),
          rubbish: Buffer.concat([shx.subarray(0, 100), Buffer.alloc(shx.length - 100, 0x33)]),
        };
        const given = index === 'none' ? { shp } : { shp, shx: indexes[index]! };
        const { seen, layers } = await read(given, { partBytes });
        assert.equal(layers[0]!.featureCount, shapes.length);
        assert.deepEqual(
          seen.map(({ parts }) => parts),
          shapes.map(([, parts]) => parts),
        );
        assert.deepEqual(
          seen.map(({ place }) => place.row),
          shapes.map((_, i) => i + 1),
        );
        if (partBytes === 1) assert.equal(layers[0]!.parts.length, shapes.length);
      },
    ),
    { numRuns: 200 },
  );
});

test('wrong counts, unknown types and NaN are problems of their record, and the next record is read', async () => {
  const { shp } = encodeShp([
    {
      type: 3,
      parts: [
        [
          [0, 0],
          [1, 1],
        ],
      ],
    },
    point(1),
  ]);
  const change = async (write: (bytes: Buffer) => void): Promise<string | undefined> => {
    const copy = Buffer.from(shp);
    write(copy);
    const { seen } = await read({ shp: copy });
    assert.equal(seen.length, 2);
    assert.deepEqual(seen[1]!.parts, [['Point', [[[[1, 0]]]]]]);
    return seen[0]!.problem;
  };
  const content = 108;
  assert.match(
    (await change((b) => b.writeInt32LE(0x7fffffff, content + 40)))!,
    /1 parts and 2147483647 points/,
  );
  assert.match((await change((b) => b.writeInt32LE(0x7fffffff, content + 36)))!, /too many for/);
  assert.match((await change((b) => b.writeInt32LE(-1, content + 40)))!, /too many for/);
  assert.match((await change((b) => b.writeInt32LE(3, content + 44)))!, /part 1 runs from point 3 to 2 of 2/);
  assert.match((await change((b) => b.writeInt32LE(77, content)))!, /shape type 77 is unknown/);
  assert.match((await change((b) => b.writeDoubleLE(NaN, content + 48)))!, /not a finite number/);
});

test('a .shp that is cut off or has wrong record lengths is refused with the position', async () => {
  const { shp, shx } = encodeShp(points(3));
  const refused = (given: Record<string, Uint8Array>, code: string, feature?: number): Promise<void> =>
    assert.rejects(read(given), (error) => {
      assert.ok(error instanceof SourceError, String(error));
      assert.deepEqual([error.code, error.place.feature], [code, feature]);
      return true;
    });
  await refused({ shp: shp.subarray(0, shp.length - 5), shx }, 'truncatedFile', 3);
  await refused({ shp: shp.subarray(0, shp.length - 28) }, 'truncatedFile', 3);
  await refused({ shp: shp.subarray(0, 60) }, 'truncatedFile');
  const lying = Buffer.from(shp);
  lying.writeInt32BE(0x7fffffff, 132);
  await refused({ shp: lying, shx }, 'truncatedFile', 2);
  lying.writeInt32BE(0, 132);
  await refused({ shp: lying }, 'brokenFile', 2);
  await refused({ shp: Buffer.alloc(200) }, 'brokenFile');
  await refused({ shp, dbf: Buffer.alloc(10) }, 'brokenFile');
  const behind = Buffer.concat([shp, Buffer.alloc(40, 1)]);
  assert.equal((await read({ shp: behind })).seen.length, 3);
});

test('a shape larger than the maximum feature is refused before it is read', async () => {
  const { shp } = encodeShp([{ type: 8, points: Array.from({ length: 1000 }, (_, i) => [i, i]) }]);
  await assert.rejects(read({ shp }, { maxFeatureBytes: 1000 }), { code: 'featureTooLarge' });
});

test('200 mutated files of each kind are read or refused, in little time and memory', async () => {
  const shapes: Shape[] = Array.from({ length: 40 }, (_, i) =>
    i % 3 === 0
      ? { type: 5, parts: [square(i, 0, 1), hole(i + 0.2, 0.2, 0.5), square(i, 5, 1)] }
      : i % 3 === 1
        ? { type: 31, parts: [square(0, 0, 1), square(1, 1, 1)], partTypes: [i % 6, 1] }
        : { type: 18, points: square(i, i, i) },
  );
  const { shp, shx } = encodeShp(shapes);
  const dbf = encodeDbf({
    fields: [
      { name: 'text', type: 'C', length: 20 },
      { name: 'real', type: 'N', length: 10, decimals: 3 },
      { name: 'day', type: 'D', length: 8 },
    ],
    rows: shapes.map((_, i) => [`näme ${i}`, `${i}.5`, '20240101']),
  });
  const whole = { shp, shx, dbf };
  let refused = 0;
  let problems = 0;
  const memory = process.memoryUsage().rss;
  for (const kind of ['shp', 'shx', 'dbf'] as const) {
    for (let seed = 0; seed < 200; seed++) {
      const spentMs = cpuTime();
      try {
        const { seen } = await read(
          { ...whole, [kind]: mutate(new Uint8Array(whole[kind]), seed) },
          { partBytes: 500 },
        );
        problems += seen.filter(({ problem }) => problem !== undefined).length;
      } catch (error) {
        assert.ok(error instanceof SourceError, String((error as Error).stack));
        assert.notEqual(kind, 'shx', 'the index only helps');
        refused++;
      }
      assert.ok(spentMs() < 2000);
    }
  }
  assert.ok(process.memoryUsage().rss - memory < 256 * 2 ** 20);
  assert.ok(refused > 20 && problems > 20, `${refused} refused, ${problems} problems`);
});
