import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { Agent, request, type IncomingHttpHeaders } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { runPeer, runService, type RunningService } from '@platen/e2e/processes';
import { median } from './load.ts';
import { print, printAtMost, printRatio } from './report.ts';

const moduleCount = 50;
const layersOfModule = 200;
const datasourceCount = 100;
const rounds = 40;
const limits = { cold: 250, stored: 20, fresh: 3 };

/**
 * The configuration of an app of 50 modules with 200 layers each: compiled for each request while the app shows no release,
 * then from the stored release, whole and as 304, beside a bare node:http server that has the same compressed bytes.
 */
export async function benchAppConfig(): Promise<void> {
  const service = await runService({ env: { PLATEN_RUNNERS: '0' } });
  const folder = await mkdtemp(join(tmpdir(), 'platen-bench-'));
  try {
    const params = await makeApp(service);
    const path = `/app/${params.appId}/app.config.json`;
    const page = { port: service.port, path: `/app/${params.appId}/` };
    const cold = { port: service.port, path };
    const gzipped = { ...cold, headers: { 'accept-encoding': 'gzip' } };
    const first = await fetchTimed(cold);
    print(
      `${moduleCount} modules of ${layersOfModule} layers: ${(first.body.length / 2 ** 20).toFixed(1)} MiB of JSON`,
    );
    printAtMost('ms for a draft, compiled', await medianOf(cold), limits.cold);
    printAtMost('ms for a draft, compiled and gzipped', await medianOf(gzipped), limits.cold);
    print(`its page: ${(await medianOf(page)).toFixed(0)} ms`);

    const start = performance.now();
    await service.client.postProjectAppRelease({ params, body: {} });
    print(`making the release, with its stored forms: ${(performance.now() - start).toFixed(0)} ms`);
    const stored = { ...cold, headers: { 'accept-encoding': 'br' } };
    const { body, headers } = await fetchTimed(stored);
    print(`as brotli ${(body.length / 1024).toFixed(0)} KiB`);
    const file = join(folder, 'config.br');
    await writeFile(file, body);
    const bare = await runPeer('bench/bare-config.ts', { CONFIG_FILE: file, CONFIG_ETAG: headers.etag! });
    try {
      const fresh = { 'if-none-match': headers.etag! };
      await compare('whole', stored, { port: bare.port, path: '/' }, limits.stored);
      await compare(
        '304',
        { ...cold, headers: fresh },
        { port: bare.port, path: '/', headers: fresh },
        limits.fresh,
      );
    } finally {
      await bare.stop();
    }
    print(`the page of the release: ${(await medianOf(page)).toFixed(0)} ms`);
  } finally {
    await service.stop();
    await rm(folder, { recursive: true, force: true });
  }
}

async function compare(what: string, ours: Target, theirs: Target, limitMs: number): Promise<void> {
  const [own, bare]: [number[], number[]] = [[], []];
  for (let round = 0; round < rounds; round++) {
    own.push((await fetchTimed(ours)).milliseconds);
    bare.push((await fetchTimed(theirs)).milliseconds);
  }
  print(`${what}: ${median(own).toFixed(2)} ms, bare ${median(bare).toFixed(2)} ms`);
  printAtMost(`ms for the stored release, ${what}`, median(own), limitMs);
  printRatio(`${what}, bare node:http / ours`, median(bare) / median(own), 0.1);
}

async function medianOf(target: Target): Promise<number> {
  const times: number[] = [];
  for (let round = 0; round < rounds / 4; round++) times.push((await fetchTimed(target)).milliseconds);
  return median(times);
}

interface Target {
  readonly port: number;
  readonly path: string;
  readonly headers?: Readonly<Record<string, string>>;
}

const agent = new Agent({ keepAlive: true, maxSockets: 1 });

/** Over one kept connection, as nothing else is to be measured; the bytes as they come. */
function fetchTimed({ port, path, headers = {} }: Target) {
  return new Promise<{ body: Buffer; headers: IncomingHttpHeaders; milliseconds: number }>(
    (resolve, reject) => {
      const start = performance.now();
      const outgoing = request({ port, path, headers, agent, host: '127.0.0.1' }, (reply) => {
        const chunks: Buffer[] = [];
        reply.on('data', (chunk: Buffer) => chunks.push(chunk));
        reply.on('error', reject);
        reply.on('end', () => {
          const { statusCode = 0 } = reply;
          if (statusCode !== 200 && statusCode !== 304)
            return reject(new Error(`${path} was answered by ${statusCode}.`));
          const milliseconds = performance.now() - start;
          return resolve({ body: Buffer.concat(chunks), headers: reply.headers, milliseconds });
        });
      });
      outgoing.on('error', reject).end();
    },
  );
}

async function makeApp({ client }: RunningService) {
  const project = await client.postProject({ body: { name: 'Bench', description: '', bbox: [0, 0, 1, 1] } });
  const params = { projectId: project._id };
  const datasourceIds: string[] = [];
  const form = new FormData();
  for (let n = 0; n < datasourceCount; n++) form.append(`d${n}.bin`, new Blob(['x']), 'file');
  const dataBucketId = project.defaultDataBucketId;
  await client.postProjectDataBucketUpload({ params: { ...params, dataBucketId }, body: form });
  for (let n = 0; n < datasourceCount; n++) {
    const sourceProperties = { type: 'internal' as const, dataBucketId, dataBucketKey: `d${n}.bin` };
    const body = { name: `D${n}`, type: 'generic' as const, sourceProperties };
    datasourceIds.push((await client.postProjectDatasource({ params, body }))._id);
  }
  const moduleIds: string[] = [];
  for (let m = 0; m < moduleCount; m++) {
    const layers = Array.from({ length: layersOfModule }, (_, n) => ({
      type: 'GeoJSONLayer',
      name: `layer ${m}-${n}`,
      activeOnStartup: false,
      zIndex: n,
      datasourceId: datasourceIds[(m * layersOfModule + n) % datasourceCount],
      extent: {
        type: 'Extent',
        coordinates: [n / 10, 5, 15, 55],
        projection: { type: 'Projection', epsg: 4326 },
      },
      properties: { title: `Layer ${n} of module ${m}`, attributions: { provider: 'City', year: '2026' } },
      style: {
        type: 'VectorStyleItem',
        fill: { color: `rgba(${n},0,0,0.5)` },
        stroke: { color: '#000', width: 2 },
      },
    }));
    const body = { name: `Module ${m}`, layers, maps: m === 0 ? [{ type: 'CesiumMap', name: 'globe' }] : [] };
    moduleIds.push((await client.postProjectModule({ params, body }))._id);
  }
  const { _id: appId } = await client.postProjectApp({ params, body: { name: 'Bench', moduleIds } });
  await client.putProjectAppPublic({ params: { ...params, appId } });
  return { ...params, appId };
}
