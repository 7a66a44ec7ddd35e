import assert from 'node:assert/strict';
import { test } from 'node:test';
import { startService } from '../testing.ts';

let time = Date.parse('2026-01-01T00:00:00.000Z');
const { app, admin, adminToken } = await startService({ now: () => new Date(time) });
const bbox = [0, 0, 1, 1];
for (const name of ['b', 'a', 'c']) {
  await admin.postProject({ body: { name, description: '', bbox } });
  time += 60_000;
}

async function list(path: string, query: string) {
  const reply = await app.inject({
    url: `/api/v1${path}?${query}`,
    headers: { authorization: `Bearer ${adminToken}` },
  });
  return { status: reply.statusCode, ...reply.json<{ items: { name: string }[]; detail?: string }>() };
}

const namesOf = async (query: string) => {
  const { status, items, detail } = await list('/projects', `orderBy=name&${query}`);
  assert.equal(status, 200, detail ?? query);
  return items.map(({ name }) => name).join('');
};

test('times have bounds that all hold, beside instants and ranges of which one holds', async () => {
  const [first, second, third] = ['00', '01', '02'].map((minute) => `2026-01-01T00:${minute}:00.000Z`);
  for (const [query, names] of [
    [`createdAt=gte:${second}`, 'ac'],
    [`createdAt=gt:${second}`, 'c'],
    [`createdAt=lt:${second}`, 'b'],
    [`createdAt=lte:${second}`, 'ab'],
    [`createdAt=gte:${second}&createdAt=lt:${third}`, 'a'],
    [`createdAt=gte:${second},lt:${third}`, 'a'],
    [`createdAt=gt:${third}`, ''],
    [`createdAt=${first}&createdAt=${third}`, 'bc'],
    [`createdAt=${first},${third}&createdAt=gt:${first}`, 'c'],
    [`createdAt=${first}/${second}`, 'ab'],
    ['createdAt=gte:2026-01-02', ''],
  ] as const)
    assert.equal(await namesOf(query), names, query);
});

test('lists of names and identifiers may be separated by commas, texts may contain them', async () => {
  const { items } = await list('/projects', 'orderBy=description,name&sort=desc');
  assert.deepEqual(
    items.map(({ name }) => name),
    ['c', 'b', 'a'],
  );
  await admin.postProject({ body: { name: 'x, y', description: '', bbox } });
  assert.equal(await namesOf('name=x, y'), 'x, y');
});

test('bounds without a known operator or a time are refused with what is possible', async () => {
  for (const [value, message] of [
    ['after:2026-01-01', /“after:” is unknown. The bounds are gt:, gte:, lt: and lte:/],
    ['gte:', /“” is not an ISO 8601 date-time/],
    ['gte:yesterday', /“yesterday” is not an ISO 8601 date-time/],
    ['gte:gte:2026-01-01', /“gte:2026-01-01” is not/],
    ['', /“” is not an ISO 8601/],
  ] as const) {
    const { status, detail } = await list('/projects', `createdAt=${value}`);
    assert.equal(status, 400, value);
    assert.match(detail!, message);
  }
  const { status, detail } = await list('/projects', 'orderBy=name,password');
  assert.equal(status, 400);
  assert.match(detail!, /orderBy/);
});
