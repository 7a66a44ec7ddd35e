import assert from 'node:assert/strict';
import { test } from 'node:test';
import { expressions } from '@maplibre/maplibre-gl-style-spec';
import { JobFailure } from '../job-type.ts';
import { compileExpression, compileFilter, type ExpressionFeature } from './compile-expression.ts';
import { makeFeature, modelFeatures } from './testing.ts';

const on = (
  properties: Record<string, unknown>,
  more: Partial<ExpressionFeature> = {},
): ExpressionFeature => ({
  type: 'Point',
  id: 1,
  properties,
  ...more,
});
const compute = (expression: unknown, properties: Record<string, unknown> = {}) =>
  compileExpression(expression, 'any', '/x')(on(properties));
const refusal = (message: RegExp) => ({ code: 'invalidExpression', message });

test('expressions see attributes, id and the type of geometry', () => {
  assert.equal(compute(['concat', ['get', 'a'], '-', ['to-string', ['id']]], { a: 'x' }), 'x-1');
  assert.equal(compileFilter(['==', ['geometry-type'], 'Polygon'], '/f')(on({}, { type: 'Polygon' })), true);
  assert.equal(compileFilter(['==', '$type', 'LineString'], '/f')(on({}, { type: 'Polygon' })), false);
  assert.equal(compute('constant'), 'constant');
});

test('filters of the older form work', () => {
  const passes = (filter: unknown, properties: Record<string, unknown>) =>
    compileFilter(filter, '/f')(on(properties));
  assert.equal(passes(['in', 'class', 'a', 'b'], { class: 'b' }), true);
  assert.equal(passes(['all', ['>', 'pop', 10], ['has', 'name']], { pop: 11 }), false);
  assert.equal(passes(['none', ['==', 'a', 1]], {}), true);
  const many = ['in', 'n', ...Array.from({ length: 300 }, (_, i) => 300 - i)];
  assert.equal(passes(many, { n: 7 }), true);
  assert.equal(many[2], 300, 'the options are left as they were');
});

test('errors are reported with a JSON pointer', () => {
  assert.throws(() => compute(['+', 1, ['gat', 'a']]), refusal(/^\/x\/2\/0: Unknown expression "gat"/));
  assert.throws(() => compute({}), refusal(/^\/x: Bare objects invalid/));
  assert.throws(() => compileFilter('class', '/f'), refusal(/^\/f: a filter is an array\.$/));
  assert.throws(
    () => compileExpression('a', 'number', '/x'),
    refusal(/^\/x: Expected number but found string/),
  );
  for (const name of ['constructor', '__proto__', 'toString', 'hasOwnProperty']) {
    assert.throws(() => compute([name, 1]), refusal(/^\/x/));
    assert.throws(() => compileFilter([name, 1], '/f'), refusal(/^\/f/));
  }
});

test('expressions without a meaning here are refused with an explanation', () => {
  assert.throws(
    () => compute(['interpolate', ['linear'], ['zoom'], 0, 1, 9, 2]),
    refusal(/^\/x\/2: "zoom" cannot be used: .* Use minZoom, maxZoom or zoomBy of a layer\.$/),
  );
  for (const name of [
    'within',
    'distance',
    'feature-state',
    'global-state',
    'image',
    'format',
    'to-color',
    'rgb',
  ])
    assert.throws(() => compute(['coalesce', [name, 'a'], 1]), refusal(/^\/x\/1: ".*" cannot be used: /));
  // Words that only look like operators.
  assert.equal(compute(['match', ['get', 'a'], ['zoom', 'rgb'], 1, 2], { a: 'rgb' }), 1);
  assert.equal(compute(['in', ['get', 'a'], ['literal', ['zoom']]], { a: 'zoom' }), true);
});

test('filters that are nested two by two cannot make parsing take for ever', () => {
  const nested = (depth: number, inner: unknown) => {
    let filter = inner;
    for (let i = 0; i < depth; i++) filter = ['all', filter, ['has', 'a']];
    return filter;
  };
  const filter = compileFilter(nested(30, ['has', 'b']), '/f');
  assert.deepEqual([filter(on({ a: 1, b: 1 })), filter(on({ a: 1 }))], [true, false]);
  assert.throws(() => compileFilter(nested(30, ['nonsense']), '/f'), refusal(/^\/f(\/1){30}\/0: Unknown/));
  assert.throws(() => compileFilter(nested(30, ['==', 'a', {}]), '/f'), refusal(/^\/f: no valid expression/));
  assert.throws(() => compileFilter(nested(100_000, true), '/f'), refusal(/^\/f/));
});

test('pairs of conditions mean what they say', () => {
  for (const [operator, both, one, none] of [
    ['all', true, false, false],
    ['any', true, true, false],
    ['none', false, false, true],
  ] as const) {
    const old = compileFilter([operator, ['==', 'a', 1], ['==', 'b', 1]], '/f');
    assert.deepEqual([old(on({ a: 1, b: 1 })), old(on({ b: 1 })), old(on({}))], [both, one, none]);
    if (operator === 'none') continue;
    const filter = compileFilter([operator, ['==', ['get', 'a'], 1], ['==', ['get', 'b'], 1]], '/f');
    assert.deepEqual([filter(on({ a: 1, b: 1 })), filter(on({ b: 1 })), filter(on({}))], [both, one, none]);
  }
});

test('the older form of filters inside the newer is refused, as it would compare names', () => {
  const mixed = ['all', ['==', 'class', 'road'], ['>', ['get', 'lanes'], 2]];
  assert.throws(
    () => compileFilter(mixed, '/f'),
    refusal(
      /^\/f\/1: compares two constants\. To compare an attribute, write \["==", \["get", "class"\], …\]\.$/,
    ),
  );
});

test('variables cannot double the work again and again', () => {
  const doubling = (times: number, seed: unknown) => {
    let body: unknown = ['var', `v${times}`];
    for (let i = times; i > 0; i--) {
      const before = ['var', `v${i - 1}`];
      body = ['let', `v${i}`, ['concat', before, before], body];
    }
    return ['let', 'v0', seed, body];
  };
  assert.equal(compute(doubling(3, ['get', 'a']), { a: 'x' }), 'xxxxxxxx');
  for (const seed of [['get', 'a'], 'constant'])
    assert.throws(() => compute(doubling(30, seed)), refusal(/more than 10000 steps/));
  assert.throws(
    () => compute(['concat', 'x'.repeat(1_000_000), ['get', 'a']]),
    refusal(/more than 10000 steps/),
  );
});

test('depth and size are limited, within literals too', () => {
  const deep = (make: (inner: unknown) => unknown) => {
    let value: unknown = 1;
    for (let i = 0; i < 100_000; i++) value = make(value);
    return value;
  };
  assert.throws(() => compute(deep((inner) => ['-', inner])), refusal(/nested more than 40 deep/));
  assert.throws(() => compute(['literal', deep((inner) => [inner])]), refusal(/nested more than 40 deep/));
  assert.throws(
    () => compute(['literal', deep((inner) => ({ a: inner }))]),
    refusal(/nested more than 40 deep/),
  );
  const wide = Array.from({ length: 20_000 }, (_, i) => ['get', `a${i}`]);
  assert.throws(() => compute(['coalesce', ...wide]), refusal(/more than 10000 steps/));
});

test('long text is refused where it would take time or memory out of proportion', () => {
  const half = 'a'.repeat(30_000);
  const seek = ['in', ['get', 'n'], ['get', 'h']];
  assert.equal(compute(seek, { n: 'a', h: 'aaa' }), true);
  assert.throws(() => compute(seek, { n: `b${half}`, h: half + half }), /"n" has more than \d+ characters/);
  assert.throws(
    () => compute(['split', ['get', 'h'], ['get', 'n']], { n: '', h: half }),
    /"h" has more than/,
  );
  assert.throws(
    () => compute(['in', 'x', ['to-string', ['properties']]], { h: 'a'.repeat(6e6) }),
    /"h" has more/,
  );
  assert.throws(
    () => compute(['to-string', ['get', 'h']], { h: Array.from({ length: 1e6 }, () => 'abcdefgh') }),
    /"h" has more than/,
  );
  assert.equal(compute(['in', 'needle', ['get', 'h']], { h: `${half}needle` }), true);
  assert.equal(compute(['==', ['get', 'h'], 'x'], { h: 'a'.repeat(2e7) }), false);
});

test('results of expressions are converted to values that tiles can hold', async () => {
  const attributes = {
    list: ['split', ['get', 'a'], ','],
    nothing: null,
    infinite: ['/', 1, ['get', 'zero']],
    inherited: ['get', 'constructor'],
    prototype: ['get', '__proto__'],
    text: ['number-format', ['get', 'n'], { 'max-fraction-digits': 1 }],
  };
  const { made, warnings } = await modelFeatures({ include: [], attributes }, [
    makeFeature({ a: '1,2', zero: 0, n: 1.25 }),
  ]);
  assert.deepEqual(made[0]!.attributes, { list: '["1","2"]', prototype: '{}', text: '1.3' });
  assert.deepEqual(warnings, []);
});

test('a failing filter drops the feature and adds a warning', async () => {
  const features = [makeFeature({ pop: 5 }), makeFeature({ pop: null }), makeFeature({ pop: 50 })];
  const { made, warnings } = await modelFeatures({ filter: ['>', ['get', 'pop'], 10] }, features);
  assert.deepEqual(
    made.map(({ attributes }) => attributes['pop']),
    [50],
  );
  assert.deepEqual(
    warnings.map(({ code, message }) => [code, message]),
    [
      [
        'expressionFailed',
        'For some features the filter failed, and they are left out: Expected value to be of type number, but found null instead.',
      ],
    ],
  );
});

test('an error in a model is reported with its position in the options', async () => {
  await assert.rejects(
    modelFeatures({ layers: [{ name: 'a' }, { name: 'b', attributes: { 'a/b': ['gat'] } }] }, []),
    refusal(/^\/modelOptions\/layers\/1\/attributes\/a~1b\/0: Unknown expression "gat"/),
  );
  await assert.rejects(
    modelFeatures({ filter: ['==', ['zoom'], 1] }, []),
    refusal(/^\/modelOptions\/filter\/1: "zoom" cannot be used/),
  );
});

test('whatever is put together from its operators is refused with words, or fails, or gives a value', () => {
  let seed = 11;
  const random = (below: number) => (seed = (seed * 48271) % 2147483647) % below;
  const operators = [...Object.keys(expressions), 'none', '!in', '!has', 'linear', 'constructor', 'nonsense'];
  const leaves = [
    0,
    -1,
    1.5,
    1e308,
    '',
    'a',
    'b',
    '$type',
    '__proto__',
    true,
    null,
    {},
    [],
    { locale: 'xx-nope' },
  ];
  const make = (depth: number): unknown => {
    if (depth === 0 || random(4) === 0) return leaves[random(leaves.length)];
    return [operators[random(operators.length)], ...Array.from({ length: random(5) }, () => make(depth - 1))];
  };
  const feature = on({ a: 'text', b: [1, { c: 2 }], ['__proto__']: 1 });
  const seen = { refused: 0, failed: 0, done: 0 };
  for (let round = 0; round < 20_000; round++) {
    const source = make(4);
    const compile =
      round % 2 === 0 ? compileFilter : (it: unknown, at: string) => compileExpression(it, 'any', at);
    let evaluate;
    try {
      evaluate = compile(source, '/x');
    } catch (error) {
      assert.ok(error instanceof JobFailure && error.code === 'invalidExpression', JSON.stringify(source));
      assert.match(error.message, /^\/x/);
      seen.refused++;
      continue;
    }
    try {
      evaluate(feature);
      seen.done++;
    } catch (error) {
      assert.ok(error instanceof Error && error.message !== '', JSON.stringify(source));
      seen.failed++;
    }
  }
  assert.ok(seen.refused > 1000 && seen.failed > 10 && seen.done > 1000, JSON.stringify(seen));
});
