import assert from 'node:assert/strict';
import { test } from 'node:test';
import { apiEndpoints } from '@platen/contract/api';
import { apiPrefix, type Endpoint } from '@platen/contract/endpoint';
import { digestOf, startService, type TestService } from '../../testing.ts';
import { callers, expected, rows } from './testing-matrix.ts';

const newTask = (dataBucketId: string) => ({
  name: 'Tiles',
  jobType: 'platenTilesVector',
  schedule: { type: 'scheduled' as const, scheduled: '2099-01-01T00:00:00Z' },
  parameters: {
    datasource: { command: 'create', name: 'Tiles' },
    options: { input: { type: 'internal', dataBucketId, dataBucketKey: 'f.geojson' } },
  },
});

interface World {
  readonly tokens: Readonly<Record<(typeof callers)[number], string | undefined>>;
  readonly ids: Readonly<Record<string, string>>;
}

async function makeWorld({ admin, adminToken, user }: TestService): Promise<World> {
  const names = [
    'outsider',
    'guest',
    'member',
    'manager',
    'managerOfAnother',
    'admin2',
    'revoked',
    'someone',
  ];
  const people = new Map<string, Awaited<ReturnType<typeof user>>>();
  for (const name of names) people.set(name, await user(name));
  const person = (name: string) => people.get(name)!;
  const world = { name: 'P', description: '', bbox: [-180, -85, 180, 85] };
  const project = await admin.postProject({ body: world, query: { managerId: person('manager').id } });
  await admin.postProject({ body: world, query: { managerId: person('managerOfAnother').id } });
  const projectId = project._id;
  const assign = (name: string, roleId: string) =>
    admin.putProjectUser({ params: { projectId, userId: person(name).id }, body: { roleId } });
  await assign('member', 'projectMember');
  await assign('revoked', 'projectManager');
  await admin.putUser({ params: { userId: person('admin2').id }, body: { isAdmin: true } });
  await person('revoked').client.getLogout();

  const { client: manager } = person('manager');
  const params = { projectId };
  const dataBucketId = project.defaultDataBucketId;
  const form = new FormData();
  form.append('file', new Blob(['{"type":"FeatureCollection","features":[]}']), 'f.geojson');
  await manager.postProjectDataBucketUpload({ params: { projectId, dataBucketId }, body: form });
  const sourceProperties = { type: 'internal', dataBucketId, dataBucketKey: 'f.geojson' } as const;
  const datasource = await manager.postProjectDatasource({
    params,
    body: { name: 'D', type: 'geojson', typeProperties: {}, sourceProperties },
  });
  const module = await manager.postProjectModule({ params, body: { name: 'M' } });
  const app = await manager.postProjectApp({
    params,
    body: { name: 'A', description: '', mapVersion: '^6.3.0', moduleIds: [] },
  });
  const grant = { roleId: 'appGuest', resourceId: app._id };
  await manager.putIamRole({ params: grant, query: { principalIds: [person('guest').id] } });
  const scenario = await admin.postProjectScenario({ params, body: { name: 'S' } });
  const credential = await manager.postProjectCredential({
    params,
    body: { name: 'C', type: 'ftp', host: 'ftp.example.org', folder: '', username: 'u', password: 'p' },
  });
  const task = await manager.postProjectTask({ params, body: newTask(dataBucketId) });
  const job = await manager.postProjectTaskRun({ params: { projectId, taskId: task._id } });
  return {
    tokens: {
      anonymous: undefined,
      outsider: person('outsider').token,
      guest: person('guest').token,
      member: person('member').token,
      manager: person('manager').token,
      managerOfAnother: person('managerOfAnother').token,
      admin: person('admin2').token,
      superUser: adminToken,
      revoked: person('revoked').token,
    },
    ids: {
      projectId,
      userId: person('someone').id,
      dataBucketId,
      datasourceId: datasource._id,
      taskId: task._id,
      jobId: job._id,
      operationId: '1-1',
      moduleId: module._id,
      appId: app._id,
      scenarioId: scenario._id,
      credentialId: credential._id,
      loginCredentialId: 'none',
      roleId: 'projectMember',
      resourceId: projectId,
      principalId: person('someone').id,
      jobType: 'platenTilesVector',
      index: '0',
      revision: '1',
      shareLinkId: 'none',
      releaseId: '1',
      trashId: 'none',
      deletedProjectId: 'none',
      uploadId: 'none',
      runnerId: 'none',
      enrolmentTokenId: 'none',
      sessionId: 'none',
      accessTokenId: 'none',
    },
  };
}

const service = await startService();
const { tokens, ids } = await makeWorld(service);

for (const [name, endpoint] of Object.entries<Endpoint>(apiEndpoints)) {
  test(`${name}: ${expected[name as keyof typeof apiEndpoints]}`, async () => {
    const row = rows[expected[name as keyof typeof apiEndpoints]];
    assert.ok(row, 'every operation is in the matrix');
    const path = endpoint.path.replace(
      /:(\w+)/g,
      (_, param: string) => ids[param] ?? assert.fail(`no id for ${param}`),
    );
    const statuses: string[] = [];
    const digest = await digestOf(service.context);
    for (const caller of callers) {
      const reply = await service.app.inject({
        method: endpoint.method,
        url: `${apiPrefix}${path}?noSuchParameter=1`,
        headers: tokens[caller] === undefined ? {} : { authorization: `Bearer ${tokens[caller]}` },
      });
      statuses.push(reply.statusCode === 400 ? 'ok' : String(reply.statusCode));
    }
    assert.equal(statuses.join(' '), row);
    assert.equal(await digestOf(service.context), digest);
  });
}

test('tasks of a job family can be written by those who may run its jobs', async () => {
  const { projectId = '', dataBucketId = '', taskId = '' } = ids;
  const statuses = async (send: (client: ReturnType<TestService['as']>) => Promise<unknown>) => {
    const found: string[] = [];
    for (const caller of callers) {
      const outcome = send(service.as(tokens[caller])).then(
        () => 'ok',
        (error: { status?: number }) => String(error.status),
      );
      found.push(await outcome);
    }
    return found.join(' ');
  };
  const body = newTask(dataBucketId);
  assert.equal(
    await statuses((client) => client.postProjectTask({ params: { projectId }, body })),
    rows.managersWrite,
  );
  const params = { projectId, taskId };
  assert.equal(
    await statuses((client) => client.putProjectTask({ params, body: { name: 'T' } })),
    rows.managersWrite,
  );
  assert.equal(await statuses((client) => client.postProjectTaskRun({ params })), rows.managersWrite);
  const remove = async (client: ReturnType<TestService['as']>) => {
    const task = await service.admin.postProjectTask({ params: { projectId }, body });
    await client.deleteProjectTask({ params: { projectId, taskId: task._id } });
  };
  assert.equal(await statuses(remove), rows.managersWrite);
});

test('a resource of another project or with an unknown ID is not found, whoever asks', async () => {
  const elsewhere = await service.admin.postProject({
    body: { name: 'Q', description: '', bbox: [0, 0, 1, 1] },
  });
  const headers = { authorization: `Bearer ${service.adminToken}` };
  for (const [name, { method, path, access }] of Object.entries<Endpoint>(apiEndpoints)) {
    if (
      typeof access !== 'object' ||
      !/:(dataBucket|datasource|task|job|module|app|scenario|credential)Id/.test(path)
    )
      continue;
    const foreign = path.replace(/:(\w+)/g, (_, param: string) =>
      param === 'projectId' ? elsewhere._id : ids[param]!,
    );
    const absent = path.replace(/:(\w+)/g, (_, param: string) =>
      param === 'projectId' ? ids['projectId']! : 'nowhere',
    );
    for (const url of [foreign, absent]) {
      const reply = await service.app.inject({ method, url: apiPrefix + url, headers });
      assert.equal(reply.statusCode, 404, `${name} at ${url}`);
    }
  }
});
