import { createClient, type Client } from '@platen/client/client';
import { apiEndpoints } from '@platen/contract/api';
import type { JobChange } from '@platen/contract/events';
import { demoModule } from './module.ts';

interface Options {
  readonly url: string;
  readonly username: string;
  readonly password: string;
  /** One of the files of examples/data. */
  readonly file: (name: string) => Promise<Blob>;
  readonly say: (line: string) => void;
}

type Api = Client<typeof apiEndpoints>;

const maxZoom = 6;
const layers = [
  { name: 'Countries', file: 'countries.geojson' },
  { name: 'Rivers', file: 'rivers.geojson' },
  { name: 'Places', file: 'places.geojsonl' },
] as const;

/**
 * The whole way from files to a public map, by the API alone: project, upload, tiling, module, app, publication.
 * @returns the address of the published map
 */
export async function publishDemo({ url, username, password, file, say }: Options): Promise<string> {
  const anonymous = createClient(apiEndpoints, { baseUrl: url });
  const { token } = await anonymous.postLogin({ body: { username, password } });
  const api = createClient(apiEndpoints, { baseUrl: url, token });

  const body = { name: 'Demo', description: 'The example data as a 3D map', bbox: [-180, -85, 180, 85] };
  const project = await api.postProject({ body });
  const params = { projectId: project._id };
  say(`project “${project.name}” ${project._id}`);

  const form = new FormData();
  for (const layer of layers) form.append('file', await file(layer.file), layer.file);
  const dataBucketId = project.defaultDataBucketId;
  await api.postProjectDataBucketUpload({ params: { ...params, dataBucketId }, body: form });
  say(`uploaded ${layers.map((layer) => layer.file).join(', ')}`);

  const datasourceIds: string[] = [];
  for (const layer of layers) {
    const id = await tile(api, { projectId: project._id, dataBucketId, ...layer });
    datasourceIds.push(id);
    say(`tiled “${layer.name}” as datasource ${id}`);
  }
  const [countriesDatasourceId, riversDatasourceId, placesDatasourceId] = datasourceIds as [
    string,
    string,
    string,
  ];
  const levels = Array.from({ length: maxZoom + 1 }, (_, zoom) => zoom);
  const module = await api.postProjectModule({
    params,
    body: demoModule({ countriesDatasourceId, riversDatasourceId, placesDatasourceId, levels }) as never,
  });
  const app = await api.postProjectApp({
    params,
    body: {
      name: 'The world in tiles',
      description: 'Countries, rivers and places of the example data',
      mapVersion: '^6.3.0',
      moduleIds: [module._id],
      baseMaps: ['world-light', 'world-names'],
    },
  });
  await api.putProjectAppPublic({ params: { ...params, appId: app._id } });
  return new URL(app.url, url).href;
}

interface Tiling {
  readonly projectId: string;
  readonly dataBucketId: string;
  readonly name: string;
  readonly file: string;
}

/** Runs one task to its end. @returns the id of the datasource that its job has made */
async function tile(api: Api, { projectId, dataBucketId, name, file }: Tiling): Promise<string> {
  const task = await api.postProjectTask({
    params: { projectId },
    body: {
      name: `Tile ${name}`,
      description: '',
      labels: [],
      tags: {},
      debugLevel: 0,
      priority: 0,
      jobType: 'platenTilesVector',
      jobVersion: '',
      schedule: { type: 'immediate' },
      properties: {},
      parameters: {
        datasource: { command: 'create', name },
        options: {
          input: { type: 'internal', dataBucketId, dataBucketKey: file },
          tiling: { minZoom: 0, maxZoom },
          modelOptions: { layerName: name.toLowerCase() },
        },
      },
    },
  });
  const job = await untilEnded(api, { projectId, jobId: task.lastJobId! });
  if (job.state !== 'succeeded')
    throw new Error(`The job of “${name}” ${job.state}: ${job.errorMessage ?? 'no reason was given'}`);
  const output = job.outputItems?.find(({ type }) => type === 'datasource');
  if (output?.datasourceId === undefined) throw new Error(`The job of “${name}” made no datasource.`);
  return output.datasourceId;
}

/** Follows the events of a job: first the whole job, then its changes. */
async function untilEnded(api: Api, params: { projectId: string; jobId: string }): Promise<JobChange> {
  let job: JobChange = {};
  for await (const message of api.getProjectJobEvents({ params })) {
    if (message.event === 'job') job = message.data;
    if (message.event === 'change') job = { ...job, ...message.data };
  }
  return job;
}
