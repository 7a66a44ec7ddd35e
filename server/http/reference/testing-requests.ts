import { createHash } from 'node:crypto';
import type { Fields, ReferenceOperation } from './testing-facts.ts';
import { passphrase, sshKeys } from '../../publishing/logins/testing.ts';
import { formOf, packPlugin } from '../../apps/map-plugins/testing.ts';
import { idle } from '../../jobs/queue/testing.ts';
import { tilingTask } from '../../jobs/tasks/testing.ts';
import { adminPassword } from '../../testing.ts';
import type { World } from './testing-world.ts';

/** What a request to an operation of the reference needs besides the values of all fields of that name. */
export interface Preparation {
  readonly params?: Readonly<Record<string, string>>;
  readonly values?: Readonly<Record<string, unknown>>;
  readonly form?: FormData;
  /** For another user than the administrator. */
  readonly token?: string;
}

/** @param body the alternative of the body that is sent */
type Prepare = (world: World, body: Fields) => Preparation | Promise<Preparation>;

const task = ({ ids }: World): Preparation => ({
  values: { ...tilingTask(ids.dataBucketId), labels: [], jobVersion: '' },
});
const source = ({ ids }: World): Preparation => ({
  values: {
    type: 'geojson',
    sourceProperties: { type: 'internal', dataBucketId: ids.dataBucketId, dataBucketKey: 'cities.geojson' },
  },
});
const modules = ({ ids, adminId }: World): Preparation => ({
  values: { moduleIds: [ids.moduleId], mapVersion: '^6.0', memberId: adminId },
});
const emptyModule: Prepare = ({ ids }) => ({
  values: {
    memberId: ids.userId,
    ...Object.fromEntries(
      ['layers', 'maps', 'styles', 'viewpoints', 'categories', 'obliqueCollections', 'plugins'].map(empty),
    ),
    ...Object.fromEntries(
      ['contentTree', 'featureInfo', 'i18n', 'uiConfig', 'hiddenObjects', 'flights'].map(empty),
    ),
    projection: { epsg: 'EPSG:25833' },
    startingMapName: null,
    startingViewpointName: null,
    startingObliqueCollectionName: null,
  },
});
const empty = (name: string) => [name, []];
const s3Fields = { endpoint: 'https://s3.example.org', region: 'eu-1', params: ['x'] };
const credential: Prepare = ({ loginId, cloudId }, { type }) => ({
  values: { loginId: type === 's3' ? cloudId : loginId, ...s3Fields },
});
/** The body does not name the type of the credentials, but only its fields. */
const changedCredential: Prepare = async ({ create, loginId, cloudId }, body) => {
  const type = 'endpoint?' in body ? 's3' : 'noTLS?' in body ? 'ftp' : 'host?' in body ? 'sftp' : 'fs';
  const id = type === 's3' ? cloudId : loginId;
  return {
    params: { projectCredentialId: await create.credential(id, type) },
    values: { loginId: id, ...s3Fields },
  };
};
const sshLogin = {
  type: 'sshKey',
  secret: sshKeys.openSshWithPassphrase.privateKey,
  passphrase,
};
const publication = async ({ create, loginId }: World): Promise<Preparation> => ({
  values: { credentialsId: await create.credential(loginId), destination: 'maps' },
});
const key: Prepare = () => ({ values: { key: 'cities.geojson' } });
const acl = ({ ids }: World): Preparation => ({
  values: { principalId: ids.userId, roleId: ids.roleId, resourceId: ids.projectId },
});
const grant = ({ ids }: World): Preparation => ({ values: { principalIds: [ids.userId] } });
const plugin = async (name: string): Promise<Preparation> => ({ form: formOf(await packPlugin({ name })) });

/** Preparations by method and path; the others need none. */
export const preparations: Readonly<Record<string, Prepare>> = {
  'POST /login': () => ({
    values: { username: 'admin', password: createHash('sha256').update(adminPassword).digest('hex') },
  }),
  'GET /logout': async ({ logIn }) => ({ token: await logIn() }),
  'GET /logout-all': async ({ logIn }) => ({ token: await logIn() }),
  'POST /user': () => ({ values: { username: 'newcomer', password: 'long enough' } }),
  'PUT /user/{}': () => ({ values: { password: 'long enough, too' } }),
  'DELETE /user/{}': async ({ create }) => ({ params: { userId: await create.user('gone') } }),
  'POST /project': ({ ids }) => ({ values: { managerId: ids.userId } }),
  'DELETE /project/{}': async ({ create }) => ({ params: { projectId: await create.project() } }),
  'PUT /project/{}/user/{}': ({ ids }) => ({ values: { roleId: ids.roleId } }),
  'DELETE /project/{}/user/{}': async ({ create, member }) => ({
    params: { userId: await member(await create.user('leaving')) },
  }),
  'POST /project/{}/datasource': source,
  'PUT /project/{}/datasource/{}': source,
  'DELETE /project/{}/datasource/{}': async ({ create }) => ({
    params: { datasourceId: await create.datasource() },
  }),
  'POST /project/{}/task': task,
  'POST /project/{}/task/sync': async (world) => {
    await world.completeNext();
    return { values: { ...idle, labels: [], jobVersion: '' } };
  },
  'PUT /project/{}/task/{}': task,
  'DELETE /project/{}/task/{}': async ({ create }) => ({ params: { taskId: await create.task() } }),
  'DELETE /project/{}/job/{}': async ({ create, abort }) => ({
    params: { jobId: await abort(await create.job()) },
  }),
  'PUT /project/{}/job/{}/abort': async ({ create }) => ({ params: { jobId: await create.job() } }),
  'GET /project/{}/job/{}/operations': () => ({
    values: { operationSetId: '1-2', operationSetStage: 'upload', operationType: ['upload'] },
  }),
  'GET /project/{}/job/{}/operation-sets': () => ({ values: { operationSetId: '1-2', jobStage: 'upload' } }),
  'DELETE /project/{}/data-bucket/{}': async ({ create }) => ({
    params: { dataBucketId: await create.dataBucket() },
  }),
  'GET /project/{}/data-bucket/{}/object': key,
  'POST /project/{}/data-bucket/{}/object': () => ({ values: { key: 'new/empty.txt', type: 'file' } }),
  'DELETE /project/{}/data-bucket/{}/object': () => ({ values: { key: 'new/empty.txt' } }),
  'POST /project/{}/data-bucket/{}/upload': () => {
    const form = new FormData();
    form.append('file', new Blob(['text']), 'uploaded.txt');
    return { form };
  },
  'GET /project/{}/data-bucket/{}/download-file': key,
  'GET /project/{}/data-bucket/{}/download': key,
  'POST /project/{}/credential': credential,
  'PUT /project/{}/credential/{}': changedCredential,
  'DELETE /project/{}/credential/{}': async ({ create, loginId }) => ({
    params: { projectCredentialId: await create.credential(loginId) },
  }),
  'POST /project/{}/scenario': ({ ids }) => ({ values: { memberId: ids.userId } }),
  'DELETE /project/{}/scenario/{}': async ({ create }) => ({
    params: { scenarioId: await create.scenario() },
  }),
  'POST /project/{}/app': modules,
  'PUT /project/{}/app/{}': modules,
  'DELETE /project/{}/app/{}': async ({ create }) => ({ params: { appId: await create.app() } }),
  'GET /project/{}/app/{}/users': acl,
  'POST /project/{}/module': emptyModule,
  'PUT /project/{}/module/{}': emptyModule,
  'DELETE /project/{}/module/{}': async ({ create }) => ({ params: { moduleId: await create.module() } }),
  'GET /project/{}/module/{}/users': acl,
  'PUT /iam/role/{}/{}': grant,
  'DELETE /iam/role/{}/{}': grant,
  'GET /iam/resource-permission/{}': acl,
  'GET /iam/principal-permission/{}': acl,
  'PUT /iam/super-user/{}': ({ ids }) => ({ params: { userId: ids.userId } }),
  'GET /login-credentials': () => ({ values: { type: 'userPassword' } }),
  'POST /login-credential': () => ({ values: sshLogin }),
  'PUT /login-credential/{}': ({ sshLoginId }) => ({
    params: { loginCredentialId: sshLoginId },
    values: sshLogin,
  }),
  'DELETE /login-credential/{}': async ({ create }) => ({
    params: { loginCredentialId: await create.login() },
  }),
  'GET /map-plugin': () => ({ values: { name: '@city/lamps' } }),
  'POST /map-plugin/upload': () => plugin('@city/benches'),
  'POST /map-plugin/upload-bundle': () => plugin('@city/trees'),
  ...Object.fromEntries(
    ['app', 'datasource', 'scenario'].flatMap((type) => [
      [`PUT /project/{}/${type}/{}/publish`, publication],
      [`GET /project/{}/${type}/{}/publish`, () => ({ values: { taskId: null } })],
    ]),
  ),
};

/** Sent at last, as the requests of others need what it ends. */
export const isLast = ({ method, path }: ReferenceOperation): boolean =>
  method === 'DELETE' && path.startsWith('/iam/role');
