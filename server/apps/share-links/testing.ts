import assert from 'node:assert/strict';
import type { NewShareLink } from '@platen/contract/share-links';
import type { FastifyInstance } from 'fastify';
import { sampleModule } from '../modules/testing.ts';
import { registerFile } from '../../datasources/serving/testing.ts';
import { startReplica, startService } from '../../testing.ts';

const hourMs = 3_600_000;
export const geojson = '{"type":"FeatureCollection","features":[]}';

/** Two replicas of the service with an app that shows a file, and those who make share links for it. */
export async function startSharing() {
  let clock = () => new Date();
  const service = await startService({
    now: () => clock(),
    settings: { tokenLifetimeMs: 72 * hourMs },
  });
  const { admin, context } = service;
  const replica = await startReplica(context);
  const max = await service.user('max');
  const body = { name: 'City', description: '', bbox: [-180, -85, 180, 85] };
  const project = await admin.postProject({ body, query: { managerId: max.id } });
  const place = { projectId: project._id, dataBucketId: project.defaultDataBucketId };
  const form = new FormData();
  for (const name of ['places.geojson', 'other.geojson']) form.append(name, new Blob([geojson]), 'file');
  await admin.postProjectDataBucketUpload({ params: place, body: form });
  const shown = await registerFile(service, place, 'geojson', 'places.geojson');
  const other = await registerFile(service, place, 'geojson', 'other.geojson');
  const { projectId } = place;
  const newModule = async (datasourceId: string) => {
    const layers = [{ type: 'GeoJSONLayer', name: `layer of ${datasourceId}`, datasourceId }];
    return (await max.client.postProjectModule({ params: { projectId }, body: { ...sampleModule, layers } }))
      ._id;
  };
  const moduleId = await newModule(shown);
  const newApp = async (who = max) => {
    const fields = { name: 'Trees & <more>', moduleIds: [moduleId] };
    const { _id: appId } = await who.client.postProjectApp({ params: { projectId }, body: fields });
    return { projectId, appId };
  };
  const params = await newApp();
  const share = (fields: Partial<NewShareLink> = {}, of = params) =>
    max.client.postProjectAppShareLink({ params: of, body: { name: 'L', ...fields } });
  /** So many minutes before the real one; or at rest at an instant. */
  const setClock = (to: number | Date) => {
    clock = typeof to === 'number' ? () => new Date(Date.now() + to * 60_000) : () => to;
  };
  const ids = { shown, other, moduleId, projectId };
  return { service, replica, max, params, ids, newModule, newApp, share, setClock, ...visitors(service.app) };
}

interface Visitor {
  readonly headers?: Record<string, string>;
  readonly at?: FastifyInstance;
}

/** What visitors of share links do. */
function visitors(app: FastifyInstance) {
  const get = (url: string, { headers = {}, at = app }: Visitor = {}) =>
    at.inject({ url, headers: { accept: 'text/html,*/*;q=0.8', ...headers } });
  /** By the address of a link without a password, or of a visit. */
  const openVisit = async (url: string, visitor: Visitor = {}) => {
    const answer = await get(url, visitor);
    const address = answer.statusCode === 303 ? String(answer.headers['location']) : url;
    const config = `${address}app.config.json`;
    const opened = await get(config, visitor);
    assert.equal(opened.statusCode, 200, opened.body);
    return { address, config, data: dataOf(opened.body) };
  };
  const submit = (url: string, fields: string | Record<string, string>, remoteAddress = '127.0.0.1') =>
    app.inject({
      method: 'POST',
      url,
      remoteAddress,
      headers: { 'content-type': 'application/x-www-form-urlencoded', accept: 'text/html' },
      payload: new URLSearchParams(typeof fields === 'string' ? { password: fields } : fields).toString(),
    });
  return { get, openVisit, submit };
}

/** The address of the first layer's data. */
export function dataOf(config: string): string {
  const { modules } = JSON.parse(config) as { modules: { layers: { url: string }[] }[] };
  return modules[1]!.layers[0]!.url;
}
