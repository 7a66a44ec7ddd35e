import assert from 'node:assert/strict';
import { test } from 'node:test';
import { findSlowAttack } from './regex-cost.ts';
import { expressionsIn, expressionsOf } from './regular-expressions.ts';

const rooms = [
  'server',
  'contract',
  'formats',
  'processing',
  'egress',
  'storage',
  'styles',
  'geo',
  'runner',
  'cli',
  'viewer',
  'confinement',
];

/** Expressions that are slow on long texts, or made of more than constants, and why they may be. */
const exceptions: readonly { readonly file: string; readonly begins: string; readonly because: string }[] = [
  ...['new RegExp(', '/^(.*[NS])', '/^([+-]?\\d'].map((begins) => ({
    file: 'formats/csv/parse-angle.ts',
    begins,
    because: 'it reads texts of 120 characters at most',
  })),
  {
    file: 'formats/csv/read-coordinates.ts',
    begins: '/^\\s*(?:srid',
    because: 'it reads the first 1000 characters of a text',
  },
  {
    file: 'formats/csv/coordinate-columns.ts',
    begins: 'new RegExp(',
    because: 'it reads names of 100 characters at most',
  },
  {
    file: 'formats/geotiff/read-image.ts',
    begins: 'new RegExp(',
    because: 'the name is one of ours, and each match ends at the next quote',
  },
  ...['confinement/confinement.ts', 'processing/check-runner/rights.ts'].map((file) => ({
    file,
    begins: 'new RegExp(',
    because: 'the name is one of ours, and the kernel writes the text',
  })),
  {
    file: 'server/apps/map-plugins/manifest.ts',
    begins: 'new RegExp(',
    because: 'the pattern is one of the contract, which is checked there',
  },
  {
    file: 'server/jobs/tasks/cron.ts',
    begins: 'new RegExp(',
    because: 'a pattern has 200 characters at most',
  },
];

const isException = ({ place, text }: { place: string; text: string }) =>
  exceptions.some(({ file, begins }) => place.startsWith(`${file}:`) && text.startsWith(begins));

const found = expressionsOf(rooms);

test('no regular expression takes more than linear time over its own characters repeated', () => {
  assert.ok(found.length > 500, `${found.length} expressions`);
  const different = Map.groupBy(found, ({ expression }) => String(expression));
  for (const [, [first]] of different) {
    if (!first!.expression || isException(first!)) continue;
    const attack = findSlowAttack(first!.expression);
    assert.equal(attack, undefined, `${first!.place} ${first!.text}: slow over ${JSON.stringify(attack)}`);
  }
});

test('every regular expression is constant, and every exception still stands in the code', () => {
  const made = found.filter((each) => each.expression === undefined && !isException(each));
  assert.deepEqual(
    made.map(({ place, text }) => `${place} ${text}`),
    [],
  );
  for (const { file, begins } of exceptions)
    assert.ok(
      found.some(({ place, text }) => place.startsWith(`${file}:`) && text.startsWith(begins)),
      `${file} ${begins}`,
    );
});

test('attacks find what holds an engine: many starts, many ways, and ways that double', () => {
  const slow = [
    /\/+$/,
    /\s+$/g,
    /^[._]+|[._]+$/g,
    /\d+\.\d+/,
    /^ *([!-+\--~]+)(?: +([A-Za-z0-9+/]*={0,2}))? *$/,
    /\[([^\]]*)\]|[^]/g,
    /<SRS\b[^>]*>([^<]*)<\/SRS>/,
    /"(?:[^"\\]|\\.)*"/,
    /^(a+)+$/,
    /^(?:\w|\d)*!$/,
  ];
  for (const expression of slow) assert.ok(findSlowAttack(expression), String(expression));
  for (const expression of [/(?<!\/)\/+$/, /^[\w-]{1,64}$/, /<[^<>]*>/g, /^\p{L}+(?:, \p{L}+)*$/u])
    assert.equal(findSlowAttack(expression), undefined, String(expression));
});

test('expressions are found in literals, constructors and schemas', () => {
  const code =
    "const a = 'b+'; const c = [/x/g, new RegExp(`^${a}$`, 'i'), RegExp(a), RegExp(d)]; const e = { pattern: '^f$' };";
  assert.deepEqual(
    expressionsIn('a.ts', code).map(({ expression }) => String(expression)),
    ['/x/g', '/^b+$/i', '/b+/', 'undefined', '/^f$/u'],
  );
});
