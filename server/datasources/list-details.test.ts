import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { DatasourceType } from '@platen/contract/datasource-types';
import type { ListedDatasource } from '@platen/contract/datasources';
import type { Permission } from '@platen/contract/permission';
import type { Caller } from '../base/caller.ts';
import { publish } from './open-in/testing.ts';
import { tilingTask } from '../jobs/tasks/testing.ts';
import { startService, type ApiClient } from '../testing.ts';
import { listDatasources } from './operations.ts';
import { external, internal, places, uploadSamples } from './testing.ts';

const service = await startService();
const { admin, context } = service;
const params = await uploadSamples(service);
const { projectId } = params;
const query = { limit: 50, page: 0 };

async function register(type: DatasourceType, key: string): Promise<string> {
  return (await admin.postProjectDatasource({ params, body: internal(params, type, key) }))._id;
}

const file = await register('geojson', 'places.geojson');
const folder = await register('tileset', 'mesh/');
const gone = await register('cog', 'good.tif');
const elsewhere = await admin.postProjectDatasource({
  params,
  body: external('wms', 'https://example.org/wms'),
});
await publish(service, params, [file, folder]);
const input = [{ type: 'datasource', datasourceId: file }];
const parameters = { datasource: { command: 'create', name: 'T' }, options: { input } };
await admin.postProjectTask({ params, body: { ...tilingTask(params.dataBucketId), parameters } });
await admin.deleteProjectDataBucketObject({ params, query: { key: 'good.tif', force: true } });

/** What is told beside the datasource itself, by id. */
const factsOf = (items: readonly ListedDatasource[]) =>
  Object.fromEntries(
    items.map(({ _id, isPublic, numberOfUses, isFileMissing, size }) => [
      _id,
      { isPublic, numberOfUses, isFileMissing, size },
    ]),
  );
const listed = async (client: ApiClient, details = true) =>
  (await client.getProjectDatasources({ params, query: { ...query, details } })).items;

/** The same by the operations that tell it of one. */
async function singly({ _id: datasourceId, sourceProperties: source }: ListedDatasource) {
  const path = { params: { ...params, datasourceId } };
  const { isPublic } = await admin.getProjectDatasourceLinks(path);
  const { totalCount: numberOfUses } = await admin.getProjectDatasourceUsedBy(path);
  if (source.type === 'external')
    return { isPublic, numberOfUses, isFileMissing: undefined, size: undefined };
  const info = await admin
    .getProjectDataBucketObject({ params, query: { key: source.dataBucketKey } })
    .catch(() => undefined);
  return { isPublic, numberOfUses, isFileMissing: info === undefined, size: info?.size };
}

test('a list contains the details of each datasource on request', async () => {
  const items = await listed(admin);
  const facts = factsOf(items);
  for (const item of items) assert.deepEqual(facts[item._id], await singly(item), item.name);
  assert.deepEqual(
    [file, folder, gone, elsewhere._id].map((id) => facts[id]!.isPublic),
    [true, true, false, false],
  );
  assert.deepEqual(
    [file, folder, gone].map((id) => facts[id]!.numberOfUses),
    [2, 1, 0],
  );
  assert.deepEqual(
    [file, folder, gone, elsewhere._id].map((id) => facts[id]!.isFileMissing),
    [false, false, true, undefined],
  );
  const [plain] = await listed(admin, false);
  assert.ok(plain && !('isPublic' in plain) && !('size' in plain));
});

test('a datasource visible only through a release is public, too', async () => {
  const shown = await register('geojson', 'places.geojson');
  const layers = [{ type: 'GeoJSONLayer', name: 'lines', datasourceId: shown }];
  const maps = [{ type: 'OpenlayersMap', name: 'flat' }];
  const { _id: moduleId } = await admin.postProjectModule({ params, body: { name: 'm', layers, maps } });
  const { _id: appId } = await admin.postProjectApp({ params, body: { name: 'a', moduleIds: [moduleId] } });
  await admin.postProjectAppRelease({ params: { projectId, appId }, body: { show: true } });
  await admin.putProjectAppPublic({ params: { projectId, appId } });
  await admin.putProjectModule({ params: { projectId, moduleId }, body: { layers: [] } });
  assert.deepEqual(factsOf(await listed(admin))[shown], {
    isPublic: true,
    numberOfUses: 1,
    isFileMissing: false,
    size: places.length,
  });
});

test('users who may not see the files or the datasource receive no details of them', async () => {
  const mia = await service.user('mia');
  const member = { roleId: 'projectMember', resourceId: projectId };
  await admin.putIamRole({ params: member, query: { principalIds: [mia.id] } });
  const facts = factsOf(await listed(mia.client));
  assert.deepEqual(facts[file], {
    isPublic: true,
    numberOfUses: 2,
    isFileMissing: undefined,
    size: undefined,
  });
  assert.equal(facts[gone]!.isFileMissing, undefined);

  const { items } = await listAs(callerWith(['getProject']), 50);
  for (const [id, one] of Object.entries(factsOf(items)))
    assert.ok(
      Object.values(one).every((value) => value === undefined),
      id,
    );
  const { items: own } = await listAs({ ...callerWith(['getProject']), userId: service.adminId }, 50);
  assert.equal(factsOf(own)[file]!.isPublic, true);
});

const callerWith = (permissions: readonly Permission[]) =>
  ({ userId: 'somebody', permissions: new Set(permissions) }) as unknown as Caller;

let statements = 0;
const counting = {
  ...context,
  db: context.db.withPlugin({
    transformQuery: ({ node }) => {
      statements += 1;
      return node;
    },
    transformResult: async ({ result }) => result,
  }),
};

function listAs(caller: Caller, limit: number) {
  return listDatasources(counting, caller, { projectId, query: { ...query, limit, details: true } });
}

test('fifty datasources take as many statements as one', async () => {
  for (let made = 0; made < 50; made += 1) await register('geojson', 'places.geojson');
  const caller = callerWith(['getProject', 'getDatasource', 'getDataBucket']);
  const costOf = async (limit: number) => {
    statements = 0;
    const { items } = await listAs(caller, limit);
    assert.equal(items.filter(({ isPublic }) => isPublic !== undefined).length, limit);
    return statements;
  };
  assert.equal(await costOf(1), 2);
  // one more, as a large page is measured before it is read
  assert.equal(await costOf(50), 3);
});
