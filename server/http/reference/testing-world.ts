import { randomUUID } from 'node:crypto';
import { holdNext } from '../../jobs/queue/testing.ts';
import { holdJobs, phase } from '../../jobs/job-operations/testing.ts';
import { formOf, packPlugin } from '../../apps/map-plugins/testing.ts';
import { sshKeys } from '../../publishing/logins/testing.ts';
import { passwordOf, type TestService } from '../../testing.ts';

const targets = {
  fs: { folder: 'maps' },
  ftp: { host: 'ftp.example.org', folder: '' },
  sftp: { host: 'ftp.example.org', folder: '' },
  s3: { bucket: 'maps' },
};

/** One resource of each kind, and ways to make others that a request then deletes. */
export async function makeWorld(service: TestService) {
  const { admin, app } = service;
  const jobs = await holdJobs(service);
  const { projectId, bucketId: dataBucketId } = jobs;
  const params = { projectId };
  const person = await service.user('someone');
  await admin.putProjectUser({
    params: { ...params, userId: person.id },
    body: { roleId: 'projectMember' },
  });

  const post = async (path: string, payload: object): Promise<string> => {
    const headers = { authorization: `Bearer ${service.adminToken}` };
    const reply = await app.inject({ method: 'POST', url: `/api/v1${path}`, headers, payload });
    const { _id } = reply.json<{ _id?: string }>();
    if (_id === undefined) throw new Error(`POST ${path}: ${reply.body}`);
    return _id;
  };
  const inProject = (path: string, payload: object) => post(`/project/${projectId}${path}`, payload);
  const sourceProperties = { type: 'internal', dataBucketId, dataBucketKey: 'cities.geojson' };

  /** Makes a resource that may be deleted; the result is its ID. */
  const create = {
    project: () => post('/project', { name: 'Gone', description: '', bbox: [0, 0, 1, 1] }),
    user: (name: string) => post('/user', { username: name, password: passwordOf(name) }),
    dataBucket: () => inProject('/data-bucket', { name: 'Gone' }),
    datasource: () =>
      inProject('/datasource', { name: 'D', type: 'geojson', typeProperties: {}, sourceProperties }),
    module: () => inProject('/module', { name: 'M' }),
    app: () => inProject('/app', { name: 'A', description: '', mapVersion: '^6.0', moduleIds: [] }),
    scenario: () => inProject('/scenario', { name: 'S' }),
    login: (body: object = { type: 'userPassword', username: 'u', password: 'p' }) =>
      post('/login-credential', { name: 'L', ...body }),
    credential: (loginCredentialId: string, type: keyof typeof targets = 'ftp') =>
      inProject('/credential', {
        name: 'C',
        type,
        ...targets[type],
        ...(type !== 'fs' && { loginCredentialId }),
      }),
    task: async () => (await jobs.newJob()).taskId,
    job: async () => (await jobs.newJob()).jobId,
  };

  await admin.postMapPlugin({ body: formOf(await packPlugin({ name: '@city/lamps' })) });
  const { jobId, taskId } = await jobs.newJob();
  const held = await jobs.hold();
  await held.reportPhases([phase(1, 'cut', { endedSecondsAgo: 0 }), phase(2, 'upload')]);
  await held.write(1, [{ message: 'A line', operation: 1 }]);
  const job = { params: { jobId } };
  await held.client.putRunnerJobOutput({ ...job, query: { key: 'a.pmtiles' }, body: new Blob(['x']) });
  const datasource = { type: 'vectortiles', path: 'a.pmtiles', typeProperties: {}, properties: {} };
  await held.client.postRunnerJobComplete({ ...job, body: { datasource, warnings: [] } });

  const loginId = await create.login();
  const moduleId = await create.module();
  const ids = {
    projectId,
    dataBucketId,
    userId: person.id,
    principalId: person.id,
    resourceId: projectId,
    roleId: 'projectMember',
    taskId,
    jobId,
    operationId: '1-2',
    datasourceId: await create.datasource(),
    moduleId,
    appId: await create.app(),
    scenarioId: await create.scenario(),
    loginCredentialId: loginId,
    projectCredentialId: await create.credential(loginId),
    addonId: 'none',
  };
  const sshKey = { type: 'sshKey', username: 'u', privateKey: sshKeys.openSsh.privateKey };
  return {
    ids,
    create,
    loginId,
    adminId: service.adminId,
    cloudId: await create.login({ type: 'aws', accessKeyId: 'AKIA1', secretAccessKey: 's' }),
    sshLoginId: await create.login(sshKey),
    /** A token of a user of its own. */
    logIn: async () => (await service.user(`user ${randomUUID()}`)).token,
    member: async (userId: string) => {
      await admin.putProjectUser({ params: { projectId, userId }, body: { roleId: 'projectMember' } });
      return userId;
    },
    abort: async (abortedId: string) => {
      await admin.putProjectJobAbort({ params: { projectId, jobId: abortedId } });
      return abortedId;
    },
    /** Ends all jobs in the queue, and then the next one that comes, without waiting for it. */
    completeNext: async () => {
      for (let held; (held = await holdNext(service, jobs.runner));) await held.fail({ code: 'broken' });
      void holdNext(service, jobs.runner, 20).then((held) => held!.complete());
    },
  };
}

export type World = Awaited<ReturnType<typeof makeWorld>>;
