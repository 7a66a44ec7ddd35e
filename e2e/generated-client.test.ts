import assert from 'node:assert/strict';
import { openAsBlob } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { createClient as generateClient } from '@hey-api/openapi-ts';
import { adminPassword } from './processes.ts';
import { sharedService } from './testing-shared.ts';
import { compileTypedCalls, type ApiDocument } from './testing-typed-calls.ts';

type Reply = {
  readonly data?: Record<string, unknown>;
  readonly error?: unknown;
  readonly response: Response;
};
type Sdk = Readonly<Record<string, (options?: Readonly<Record<string, unknown>>) => Promise<Reply>>>;
interface GeneratedClient {
  setConfig(config: { baseUrl: string; auth?: () => string }): void;
}

test('a client generated from openapi.json is typed to the last option, and makes the whole journey', async () => {
  const service = await sharedService();
  // inside the repository, so that nothing needs to be installed for it
  const folder = await mkdtemp(join(fileURLToPath(new URL('.', import.meta.url)), '.generated-'));
  try {
    const document = join(folder, 'openapi.json');
    const text = await (await fetch(`${service.url}/apidoc/v1/openapi.json`)).text();
    await writeFile(document, text);
    const output = { path: join(folder, 'client'), module: { extension: '.ts' } };
    const plugins = ['@hey-api/client-fetch', '@hey-api/sdk', '@hey-api/typescript'] as const;
    await generateClient({
      input: document,
      output,
      plugins: [...plugins],
      logs: { level: 'silent' },
    } as never);
    const at = (file: string) => pathToFileURL(join(folder, 'client', file)).href;
    const sdk = (await import(at('sdk.gen.ts'))) as Sdk;
    const { client } = (await import(at('client.gen.ts'))) as { client: GeneratedClient };
    await journey(sdk, client, service.url);
    await compileTypedCalls(folder, JSON.parse(text) as ApiDocument);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
});

async function journey(sdk: Sdk, client: GeneratedClient, baseUrl: string): Promise<void> {
  const call = async (name: string, options: Readonly<Record<string, unknown>> = {}) => {
    assert.ok(sdk[name], `the generated client has ${name}`);
    const { data, error, response } = await sdk[name](options);
    assert.equal(error, undefined, `${name} answered ${response?.status}: ${JSON.stringify(error)}`);
    return data as Record<string, any>; // oxlint-disable-line typescript/no-explicit-any -- a client for any document
  };
  client.setConfig({ baseUrl });
  const { token } = await call('postLogin', { body: { username: 'admin', password: adminPassword } });
  client.setConfig({ baseUrl, auth: () => token });

  const project = await call('postProject', {
    body: { name: 'Generated', description: 'by a generated client', bbox: [-180, -85, 180, 85] },
  });
  const projectId = project['_id'] as string;
  const user = await call('postUser', { body: { username: 'colleague', password: 'long enough' } });
  const path = { projectId };
  await call('putProjectUser', {
    path: { projectId, userId: user['_id'] },
    body: { roleId: 'projectMember' },
  });
  assert.equal((await call('getProjectUsers', { path }))['totalCount'], 2);

  const dataBucketId = project['defaultDataBucketId'] as string;
  const blob = await openAsBlob(new URL('../examples/data/rivers.geojson', import.meta.url));
  const upload = new File([blob], 'rivers.geojson');
  await call('postProjectDataBucketUpload', { path: { projectId, dataBucketId }, body: { file: upload } });

  const task = await call('postProjectTask', {
    path,
    body: {
      name: 'Rivers',
      jobType: 'platenTilesVector',
      schedule: { type: 'immediate' },
      parameters: {
        datasource: { command: 'create', name: 'Rivers' },
        options: {
          input: { type: 'internal', dataBucketId, dataBucketKey: 'rivers.geojson' },
          tiling: { maxZoom: 4 },
        },
      },
    },
  });
  const job = await finishedJob(call, projectId, task['_id'] as string);
  assert.equal(job['state'], 'succeeded', JSON.stringify(job['errorMessage']));

  const { items } = await call('getProjectDatasources', { path });
  const datasource = items[0] as Record<string, string>;
  assert.equal(datasource['type'], 'vectortiles');
  const layer = await call('getProjectDatasourceConfig', {
    path: { projectId, datasourceId: datasource['_id'] },
  });
  assert.equal(layer['type'], 'VectorTileLayer');
  const module = await call('postProjectModule', {
    path,
    body: {
      name: 'Map',
      maps: [{ type: 'CesiumMap', name: 'globe' }],
      startingMapName: 'globe',
      layers: [layer],
    },
  });
  const app = await call('postProjectApp', {
    path,
    body: { name: 'App', description: '', mapVersion: '^6.3.0', moduleIds: [module['_id']] },
  });
  assert.equal(app['isPublic'], false);
  const appPath = { projectId, appId: app['_id'] };
  assert.equal((await fetch(`${baseUrl}/app/${app['_id']}/`)).status, 404);
  await call('putProjectAppPublic', { path: appPath });
  assert.equal((await fetch(`${baseUrl}/app/${app['_id']}/`)).status, 200);
  const compiled = await call('getProjectAppCompiled', { path: appPath });
  assert.equal(compiled['modules'].length, 1);
  await call('getLogout');
  assert.equal((await sdk['getProjects']!()).response.status, 401);
}

type Call = (name: string, options?: Readonly<Record<string, unknown>>) => Promise<Record<string, unknown>>;

async function finishedJob(call: Call, projectId: string, taskId: string): Promise<Record<string, unknown>> {
  for (;;) {
    const { items } = await call('getProjectJobs', { path: { projectId }, query: { taskId: [taskId] } });
    const [job] = items as Record<string, unknown>[];
    if (job && job['state'] !== 'queued' && job['state'] !== 'running') return job;
    await sleep(200);
  }
}
