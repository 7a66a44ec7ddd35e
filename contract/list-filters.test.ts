import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { TSchema } from 'typebox';
import { apiEndpoints } from './api.ts';
import type { Endpoint } from './endpoint.ts';

type Filter = TSchema & {
  readonly items?: { enum?: unknown; type?: string };
  readonly 'x-separator'?: string;
};

test('all lists of names and numbers in queries may be separated by commas', () => {
  const lists = Object.entries<Endpoint>(apiEndpoints).flatMap(([endpoint, { query }]) =>
    Object.entries((query as { properties?: Record<string, Filter> } | undefined)?.properties ?? {}).flatMap(
      ([name, { items, 'x-separator': separator }]) =>
        items?.enum !== undefined || items?.type === 'integer' ? [[`${endpoint} ${name}`, separator]] : [],
    ),
  );
  assert.ok(lists.length > 20);
  assert.deepEqual(
    lists.filter(([, separator]) => separator !== ','),
    [],
  );
});
