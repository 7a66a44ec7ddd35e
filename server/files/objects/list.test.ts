import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import type { ObjectListQuery } from '@platen/contract/object-info';
import type { StoredObject } from '@platen/contract/objects';
import { sql } from 'kysely';
import { startService } from '../../testing.ts';
import { placesOf } from './key-range.ts';
import { digestFolders, recountFolders } from './testing.ts';

const world = { name: 'City', description: 'All of it', bbox: [-180, -85, 180, 85] };
const service = startService();
let params: { projectId: string; dataBucketId: string };

const keys = [
  'a',
  'a/b',
  'a/b/c.JSON',
  'a/b/d.json',
  'a/b.json',
  'a%/x_y.json',
  'ab/c',
  'ab.tif',
  'z/1/2/3.pbf',
  'z/1/2/4.pbf',
  'z/1/9.pbf',
  'z/10/1.pbf',
  'Größe/Ä.Json',
  '😀/\u{10ffff}.json',
  '.first',
  '.jobs0',
  '.jobs/Lamps/1.json',
  '.jobs/Lamps/2.json',
  '.jobs/3.json',
  ...Array.from({ length: 30 }, (_, index) => `many/${index % 7}-${index}.${index % 3 ? 'png' : 'JSON'}`),
];

before(async () => {
  const { admin, context } = await service;
  const { _id, defaultDataBucketId } = await admin.postProject({ body: world });
  params = { projectId: _id, dataBucketId: defaultDataBucketId };
  const form = new FormData();
  for (const [index, key] of keys.entries()) form.append(key, new Blob(['x'.repeat(index % 5)]), 'file');
  await admin.postProjectDataBucketUpload({ params, body: form });
  await sql`update object set created_by = 'user' || size % 2, created_at = now() + size * interval '1 s',
    updated_at = now() - (size % 3) * interval '1 s'`.execute(context.db);
});

const compareText = (a = '', b = '') => Buffer.compare(Buffer.from(a), Buffer.from(b));
const lowered = (text: string) => text.replace(/[A-Z]/g, (letter) => letter.toLowerCase());

/** What a list must give, computed from all files by the words of the contract. */
function expected(
  files: readonly StoredObject[],
  folders: ReadonlyMap<string, StoredObject>,
  query: ObjectListQuery,
) {
  const { prefix = '', ending = '', delimiter, type, orderBy = [], sort = 'asc', limit, page } = query;
  const isAsked = query.includeJobs === true || prefix.startsWith('.jobs/');
  const visible = files.filter(({ key }) => isAsked || !key.startsWith('.jobs/'));
  const isLevel = delimiter !== undefined || type !== undefined || orderBy.includes('type');
  const level = (key: string) => isLevel && key.slice(prefix.length).includes('/');
  const shown = visible.filter(
    ({ key }) => key.startsWith(prefix) && !level(key) && lowered(key).endsWith(lowered(ending)),
  );
  const below = visible.filter(({ key }) => key.startsWith(prefix) && level(key));
  const names = below.map(({ key }) => key.slice(0, key.indexOf('/', prefix.length) + 1));
  const entries = [...shown, ...[...new Set(names)].map((name) => folders.get(name)!)];
  const items = entries.filter((one) => !type || type.includes(one.type));
  const compare = (a: StoredObject, b: StoredObject): number => {
    for (const field of [...orderBy, 'key'] as const) {
      const name = field === 'alpha' ? 'key' : field;
      // what folders have not comes last
      const rank = Number(a[name] === undefined) - Number(b[name] === undefined);
      const difference = rank || (name === 'size' ? a.size - b.size : compareText(a[name], b[name]));
      if (difference !== 0) return difference;
    }
    return 0;
  };
  items.sort((a, b) => (sort === 'desc' ? compare(b, a) : compare(a, b)));
  return {
    keys: items.slice(page * limit, (page + 1) * limit).map(({ key }) => key),
    totalCount: items.length,
  };
}

const axes = {
  prefix: [
    undefined,
    'a',
    'a/',
    'a/b',
    'a/b/',
    'z/1',
    'z/1/',
    'a%',
    'many/',
    'many/1',
    'Gr',
    '😀',
    'none',
    'a//',
    '%',
    '.',
    '.jobs',
    '.jobs/',
    '.jobs/L',
  ],
  delimiter: [undefined, '/'],
  type: [undefined, ['directory'], ['file'], ['file', 'directory']],
  orderBy: [
    undefined,
    ['alpha'],
    ['type'],
    ['type', 'size'],
    ['size', 'type'],
    ['size'],
    ['createdAt'],
    ['updatedAt', 'size'],
    ['createdBy'],
    ['updatedBy', 'key', 'size'],
  ],
  part: [
    { page: 0, limit: 1000 },
    { page: 1, limit: 3 },
    { page: 3, limit: 4 },
    { page: 0, limit: 1000, ending: '.json' },
    { page: 0, limit: 5, ending: '_Y.json' },
  ],
  sort: ['asc', 'desc'],
  includeJobs: [undefined, true],
} as const;

/** One of all combinations. */
function queryAt(index: number): ObjectListQuery {
  let left = index;
  const picked = Object.entries(axes).map(([name, values]) => {
    const value = values[left % values.length];
    left = Math.floor(left / values.length);
    return [name, value] as const;
  });
  const { part, ...rest } = Object.fromEntries(picked.filter(([, value]) => value !== undefined));
  return { ...rest, ...(part as object) } as unknown as ObjectListQuery;
}

test('any prefix, ending, delimiter, order and page gives what a walk through all files gives', async () => {
  const { admin } = await service;
  const all = await admin.getProjectDataBucketObjects({ params, query: { limit: 1000, includeJobs: true } });
  const paths = new Set(all.items.flatMap(({ key }) => placesOf(key).slice(0, -1)));
  const folders = new Map<string, StoredObject>();
  for (const key of paths)
    folders.set(key, await admin.getProjectDataBucketObject({ params, query: { key } }));
  const combinations = Object.values(axes).reduce((product, { length }) => product * length, 1);
  // every 37th: no axis has a multiple of that, so all values of any two meet
  for (let index = 0; index < combinations; index += 37) {
    const query = queryAt(index);
    const { items, totalCount } = await admin.getProjectDataBucketObjects({ params, query });
    const found = { keys: items.map(({ key }) => key), totalCount };
    assert.deepEqual(found, expected(all.items, folders, query), JSON.stringify(query));
  }
});

test('a folder is listed with the number and the size of all files in it', async () => {
  const { admin } = await service;
  const query = { delimiter: '/', prefix: 'z/' } as const;
  const { items } = await admin.getProjectDataBucketObjects({ params, query });
  assert.deepEqual(
    items.map(({ key, numberOfFiles, size }) => [key, numberOfFiles, size]),
    [
      ['z/1/', 3, 3 + 4 + 0],
      ['z/10/', 1, 1],
    ],
  );
  const { usedBy, numberOfUses, ...info } = await admin.getProjectDataBucketObject({
    params,
    query: { key: 'z/1' },
  });
  assert.deepEqual([info, usedBy, numberOfUses], [items[0], [], 0]);
});

test('counters of folders equal a recount, after any simultaneous writes and deletions', async () => {
  const { admin, context } = await service;
  const bucket = await admin.postProjectDataBucket({ params, body: { name: 'counted' } });
  const at = { ...params, dataBucketId: bucket._id };
  const upload = async (names: readonly string[], content: string) => {
    const form = new FormData();
    for (const name of names) form.append(name, new Blob([content]), 'file');
    await admin.postProjectDataBucketUpload({ params: at, query: { overwrite: true }, body: form });
  };
  const remove = (key: string) => admin.deleteProjectDataBucketObject({ params: at, query: { key } });
  const names = Array.from({ length: 40 }, (_, index) => `f${index % 3}/g${index % 2}/${index}`);
  await Promise.all(names.map((name) => upload([name, `${name}.d/x`], 'one')));
  await Promise.all([
    ...names.slice(0, 10).map((name) => upload([name], 'another')),
    ...names.slice(10, 30).map(remove),
    remove('f0/g1/'),
  ]);
  assert.equal(await digestFolders(context.db), await recountFolders(context.db));
  await Promise.all(['f0/', 'f1/', 'f2/'].map(remove));
  const { rows } =
    await sql`select path, files, folders, objects, bytes from folder where bucket_id = ${bucket._id}`.execute(
      context.db,
    );
  assert.deepEqual(rows, [{ path: '', files: 0, folders: 0, objects: 0, bytes: 0 }]);
  await admin.deleteProjectDataBucket({ params: at });
  assert.equal(await digestFolders(context.db), await recountFolders(context.db));
});

test('impossible keys are refused or find nothing, and break nothing', async () => {
  const { admin, app, adminToken } = await service;
  const path = `/api/v1/project/${params.projectId}/data-bucket/${params.dataBucketId}/objects`;
  const ask = async (query: string) => {
    const headers = { authorization: `Bearer ${adminToken}` };
    return (await app.inject({ url: `${path}?${query}`, headers })).statusCode;
  };
  for (const name of ['prefix', 'ending']) {
    assert.equal(await ask(`${name}=%00`), 400);
    assert.equal(await ask(`${name}=${'x'.repeat(10_000)}`), 400);
    assert.equal(await ask(`${name}=${encodeURIComponent('ä'.repeat(255))}&delimiter=/`), 200);
  }
  assert.equal(await ask('prefix=%ED%A0%80&ending=%FF'), 200);
  assert.equal(await ask(`prefix=${'a/'.repeat(500)}&delimiter=/&page=2147483647&limit=1000`), 200);
  const count = async (query: object) =>
    (await admin.getProjectDataBucketObjects({ params, query })).totalCount;
  assert.equal(await count({ prefix: '../../' }), 0);
  assert.equal(await count({ ending: '%' }), 0);
  assert.equal(await count({ ending: '_' }), 0);
  assert.equal(await count({ prefix: '_' }), 0);
});

test('names are searched at any depth, case-insensitively', async () => {
  const { admin } = await service;
  const found = async (query: Partial<ObjectListQuery>) => {
    const { items, totalCount } = await admin.getProjectDataBucketObjects({ params, query });
    assert.equal(totalCount, items.length);
    return items.map(({ key }) => key);
  };
  assert.deepEqual(await found({ contains: ['größe/ä'] }), ['Größe/Ä.Json']);
  assert.deepEqual(await found({ contains: ['B/C', '_y'] }), ['a%/x_y.json', 'a/b/c.JSON', 'ab/c']);
  assert.deepEqual(await found({ contains: ['a'], prefix: 'a%/' }), []);
  const page = await admin.getProjectDataBucketObjects({
    params,
    query: { contains: ['.json'], prefix: 'many/', limit: 3, page: 1 },
  });
  assert.deepEqual([page.totalCount, page.items.length], [10, 3]);
  await assert.rejects(found({ contains: ['a'], delimiter: '/' }), { status: 400 });
  await assert.rejects(found({ contains: ['a'], type: ['file'] }), { status: 400 });
  assert.deepEqual(await found({ contains: ['B/C'], orderBy: ['type'] }), ['a/b/c.JSON', 'ab/c']);
});

test('a client that asks for a type or an order by type gets one level, without a delimiter', async () => {
  const { admin } = await service;
  const found = async (query: Partial<ObjectListQuery>) =>
    (await admin.getProjectDataBucketObjects({ params, query })).items.map(({ key }) => key);
  assert.deepEqual(await found({ prefix: 'z/', type: ['directory'] }), ['z/1/', 'z/10/']);
  assert.deepEqual(await found({ prefix: 'a/', type: ['file'] }), ['a/b', 'a/b.json']);
  assert.deepEqual(await found({ prefix: 'a/', orderBy: ['type'] }), ['a/b/', 'a/b', 'a/b.json']);
});

test('a list contains the inspection and uses of each file on request', async () => {
  const { admin, context } = await service;
  const { projectId, dataBucketId: bucketId } = params;
  const key = 'used/b.json';
  const form = new FormData();
  form.append(key, new Blob(['{"type":"FeatureCollection","features":[]}']), 'file');
  form.append('used.txt', new Blob(['-']), 'file');
  await admin.postProjectDataBucketUpload({ params, body: form });
  const { sha256 } = await admin.getProjectDataBucketObject({ params, query: { key } });
  const layer = { name: 'b', geometryTypes: ['Point'], featureCount: 2, isEstimated: false };
  const report = { kind: 'vector', layers: [{ ...layer, isBboxEstimated: false, fields: [] }], issues: [] };
  await sql`insert into inspection (project_id, report_of, sha256, name, kind, summary, report, created_at)
    values (${projectId}, 'x', ${Buffer.from(sha256!, 'hex')}, 'b.json', 'vector', '2 points',
      ${JSON.stringify({ ...report, uses: [] })}, now())`.execute(context.db);
  const datasource = await admin.postProjectDatasource({
    params,
    body: {
      name: 'b',
      type: 'geojson',
      sourceProperties: { type: 'internal', dataBucketId: bucketId, dataBucketKey: key },
    },
  });
  const layers = [{ type: 'GeoJSONLayer', name: 'b', datasourceId: datasource._id }];
  const module = await admin.postProjectModule({ params, body: { name: 'm', layers } });
  await admin.postProjectApp({
    params,
    body: { name: 'app', description: '', mapVersion: '^6.3.0', moduleIds: [module._id] },
  });

  const list = async (query: Partial<ObjectListQuery>) => {
    const { items } = await admin.getProjectDataBucketObjects({
      params,
      query: { prefix: 'used', limit: 100, details: true, ...query },
    });
    return new Map(items.map((item) => [item.key, item]));
  };
  const level = await list({ delimiter: '/' });
  const usedIn = { datasources: 1, tasks: 0, apps: 1 };
  assert.deepEqual(level.get('used/')?.usedIn, usedIn);
  assert.deepEqual(level.get('used.txt')?.usedIn, { datasources: 0, tasks: 0, apps: 0 });
  const file = (await list({})).get(key);
  assert.deepEqual(file?.usedIn, usedIn);
  const facts = { layers: 1, count: 2, isEstimated: false, shape: 'Point' };
  assert.deepEqual(file?.inspection, { kind: 'vector', summary: '2 points', facts });
  assert.deepEqual([...(await list({ kind: ['vector', 'raster'] })).keys()], [key]);
  assert.equal((await list({ kind: ['raster'] })).size, 0);
});

test('a project counts the files that lists show, and all objects, with those of jobs', async () => {
  const { admin } = await service;
  const countOf = async (includeJobs: boolean) =>
    (await admin.getProjectDataBucketObjects({ params, query: { limit: 1, includeJobs } })).totalCount;
  const { files, objects } = await admin.getProjectSummary({ params });
  assert.deepEqual([files, objects], [await countOf(false), await countOf(true)]);
  assert.ok(files < objects);
});
