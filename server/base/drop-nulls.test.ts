import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Type, type TSchema } from 'typebox';
import { dropNulls } from './drop-nulls.ts';

function dropped(schema: TSchema, value: unknown): unknown {
  const copy = structuredClone(value);
  dropNulls(schema, copy);
  return copy;
}

const place = Type.Object({ type: Type.Literal('place'), layer: Type.Optional(Type.String()) });
const web = Type.Object({
  type: Type.Literal('web'),
  layer: Type.Optional(Type.Union([Type.String(), Type.Null()])),
});
const schema = Type.Object({
  name: Type.String(),
  text: Type.Optional(Type.String()),
  until: Type.Optional(Type.Union([Type.String(), Type.Null()])),
  any: Type.Optional(Type.Unknown()),
  free: Type.Optional(Type.Record(Type.String(), Type.Unknown())),
  inner: Type.Optional(Type.Object({ text: Type.Optional(Type.Integer()) })),
  list: Type.Optional(Type.Array(Type.Object({ text: Type.Optional(Type.String()) }))),
  input: Type.Optional(Type.Union([Type.Union([place, web]), Type.Array(Type.Union([place, web]))])),
});

test('optional fields that are null are none, at any depth and in lists', () => {
  assert.deepEqual(
    dropped(schema, { name: 'a', text: null, inner: { text: null }, list: [{ text: null }] }),
    {
      name: 'a',
      inner: {},
      list: [{}],
    },
  );
  assert.deepEqual(dropped(schema, { name: 'a', inner: null, free: null, list: null, input: null }), {
    name: 'a',
  });
});

test('a required field, an unknown one, free-form content and a null with a meaning stay', () => {
  const kept = { name: null, until: null, any: null, free: { a: null, b: { c: null } }, other: null };
  assert.deepEqual(dropped(schema, kept), kept);
});

test('of a union, the branch counts whose constants the value has', () => {
  assert.deepEqual(dropped(schema, { name: 'a', input: { type: 'place', layer: null } }), {
    name: 'a',
    input: { type: 'place' },
  });
  const kept = {
    name: 'a',
    input: [{ type: 'web', layer: null }, { type: 'other', layer: null }, null, 'text'],
  };
  assert.deepEqual(dropped(schema, kept), kept);
});

test('what is no object is left to the validation', () => {
  for (const value of [null, 'text', 1, [null]]) assert.deepEqual(dropped(schema, value), value);
});

test('objects cost their own fields instead of those of the schema, and lists that are too long cost nothing', () => {
  let listed = 0;
  const properties = new Proxy(
    { text: { type: 'string' } },
    { ownKeys: (target) => (listed++, Reflect.ownKeys(target)) },
  );
  const item = { type: 'object', properties } as unknown as TSchema;
  assert.deepEqual(dropped(Type.Array(item), [{}, { text: null }, { other: null }]), [
    {},
    {},
    { other: null },
  ]);
  assert.equal(listed, 0);
  const tooLong = [{ text: null }, { text: null }];
  assert.deepEqual(dropped(Type.Array(item, { maxItems: 1 }), tooLong), tooLong);
});
