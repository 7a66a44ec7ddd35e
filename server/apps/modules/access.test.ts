import assert from 'node:assert/strict';
import { test } from 'node:test';
import { startService, type ApiClient } from '../../testing.ts';
import { sampleModule } from './testing.ts';

const service = await startService();
const { admin } = service;

const newProject = async (managerId?: string) => {
  const body = { name: 'City', description: '', bbox: [-180, -85, 180, 85] };
  return (await admin.postProject({ body, query: managerId === undefined ? {} : { managerId } }))._id;
};

test('members see the names of all modules, and the content of their own', async () => {
  const mia = await service.user('mia');
  const max = await service.user('max');
  const ownProject = await newProject(max.id);
  await max.client.putProjectUser({
    params: { projectId: ownProject, userId: mia.id },
    body: { roleId: 'projectMember' },
  });
  const ours = { projectId: ownProject };
  const his = await max.client.postProjectModule({ params: ours, body: { ...sampleModule, name: 'his' } });
  const hers = await mia.client.postProjectModule({ params: ours, body: { ...sampleModule, name: 'hers' } });
  const { items } = await mia.client.getProjectModules({ params: ours });
  assert.deepEqual(
    items.map(({ name, layers }) => [name, layers.length]),
    [
      ['hers', 2],
      ['his', 0],
    ],
  );
  const all = await max.client.getProjectModules({ params: ours, query: { name: ['h'] } });
  assert.deepEqual(
    all.items.map(({ layers }) => layers.length),
    [2, 2],
  );
  const hisParams = { ...ours, moduleId: his._id };
  await assert.rejects(mia.client.getProjectModule({ params: hisParams }), { status: 403 });
  await assert.rejects(mia.client.putProjectModule({ params: hisParams, body: { name: 'x' } }), {
    status: 403,
  });
  const herParams = { ...ours, moduleId: hers._id };
  await mia.client.putProjectModule({ params: herParams, body: { name: 'still hers' } });
  const { items: readers } = await mia.client.getProjectModuleUsers({ params: herParams });
  assert.deepEqual(readers.map(({ username }) => username).toSorted(), ['max', 'mia']);
  assert.deepEqual(await mia.client.deleteProjectModule({ params: herParams }), { numberOfDeletedItems: 1 });
  await assert.rejects(mia.client.getProjectModule({ params: herParams }), { status: 404 });
});

test('MemberId is for holders of grantRole and for oneself, and names a member of the project', async () => {
  const tom = await service.user('tom');
  const tia = await service.user('tia');
  const outsider = await service.user('olga');
  const ownProject = await newProject(tom.id);
  await tom.client.putProjectUser({
    params: { projectId: ownProject, userId: tia.id },
    body: { roleId: 'projectMember' },
  });
  const create = (client: ApiClient, MemberId: string) =>
    client.postProjectModule({ params: { projectId: ownProject }, query: { MemberId }, body: { name: 'm' } });
  assert.equal((await create(tom.client, tia.id)).memberId, tia.id);
  assert.equal((await create(tia.client, tia.id)).memberId, tia.id);
  await assert.rejects(create(tia.client, tom.id), { status: 403 });
  await assert.rejects(create(tom.client, outsider.id), { status: 422 });
  await assert.rejects(create(tom.client, 'nobody'), { status: 422 });
});
