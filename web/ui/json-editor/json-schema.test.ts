import assert from 'node:assert/strict';
import { test } from 'node:test';
import { schemasAt, suggestKeys, suggestValues, type JsonSchema } from './json-schema.ts';

const schema: JsonSchema = {
  type: 'object',
  properties: {
    layers: {
      type: 'array',
      items: {
        type: 'object',
        properties: { name: { type: 'string' } },
        anyOf: [
          { properties: { type: { const: 'A' }, url: { type: 'string' } } },
          { properties: { type: { const: 'B' }, size: { type: 'number', default: 3 } }, required: ['size'] },
        ],
      },
    },
    isOn: { type: 'boolean' },
  },
};
const labels = (found: readonly { label: string }[]) => found.map(({ label }) => label);

test('keys are those that are not there yet, of the alternative that a constant chooses', () => {
  const value = { layers: [{ type: 'B', name: 'x' }] };
  assert.deepEqual(labels(suggestKeys(schema, ['layers', 0], value)), ['size']);
  assert.equal(suggestKeys(schema, ['layers', 0], value)[0]!.json, '"size": 3');
  assert.deepEqual(labels(suggestKeys(schema, ['layers', 0], { layers: [{}] })), [
    'name',
    'type',
    'url',
    'size',
  ]);
});

test('values are the constants of all alternatives, choices, and yes and no', () => {
  const types = suggestValues(schema, ['layers', 0, 'type'], { layers: [{ type: '' }] });
  assert.deepEqual(labels(types), ['A', 'B']);
  assert.deepEqual(labels(suggestValues(schema, ['isOn'], {})), ['true', 'false']);
});

test('keys unknown to a schema have no suggestions', () => {
  assert.deepEqual(schemasAt(schema, ['unknown', 'deep', 4], { unknown: 1 }), []);
  assert.deepEqual(suggestKeys(schema, ['isOn'], { isOn: true }), []);
});
