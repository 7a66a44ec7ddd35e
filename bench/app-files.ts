import { chmod, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { get } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { runService, type RunningService } from '@platen/e2e/processes';
import { compareRates, median } from './load.ts';
import { nginx, startNginx } from './nginx.ts';
import { print, printRatio } from './report.ts';

const rounds = 7;
const durationMs = 2000;
const connections = 16;
const minRatio = 0.35;
const headers = { 'accept-encoding': 'gzip, deflate, br' };

/** What a browser asks for at the first view of a public app, beside nginx that serves the same bytes as static files. */
export async function benchAppFiles(): Promise<void> {
  if (nginx === undefined) return print('skipped: no nginx (apt-get install nginx-light)');
  const service = await runService({ env: { PLATEN_RUNNERS: '0' } });
  const folder = await mkdtemp(join(tmpdir(), 'platen-nginx-'));
  let server: Awaited<ReturnType<typeof startNginx>> | undefined;
  try {
    const page = await publish(service);
    await mkdir(join(folder, 'www'), { recursive: true });
    await chmod(folder, 0o755);
    const { body } = await ask(service.port, page, {});
    const preloaded = [...body.toString().matchAll(/preload"[^>]* href="([^"/][^"]+)"/g)];
    const base = /<base href="([^"]+)">/.exec(body.toString())![1]!;
    const engine = preloaded.map(([, path]) => base + path!);
    const world = ['0/0/0', '2/1/1', '3/4/2', '4/8/5', '5/17/10'].map((tile) => `/basemap/world/${tile}.png`);
    server = await startNginx(nginx, folder);
    const cases = {
      [`${engine.length} scripts and styles of the engine, as brotli`]: engine,
      'tiles of the base layer': world,
      'the page': [page],
      'its configuration, of a release': [`${page}app.config.json`],
    };
    for (const [name, paths] of Object.entries(cases)) await compare(name, paths);
  } finally {
    await server?.stop();
    await service.stop();
    await rm(folder, { recursive: true, force: true });
  }

  async function compare(name: string, paths: readonly string[]): Promise<void> {
    const copies = await Promise.all(paths.map((path, index) => copy(path, `${name.length}-${index}.bin`)));
    const common = { headers, connections, durationMs };
    const bytes = copies.reduce((sum, { length }) => sum + length, 0) / copies.length;
    const ratios = await compareRates(
      {
        ours: { port: service.port, paths, ...common },
        theirs: { port: server!.port, paths: copies.map(({ path }) => path), ...common },
        rounds,
      },
      (own, theirs) => print(`${name}: ${own.toFixed(0)}/s, nginx ${theirs.toFixed(0)}/s`),
    );
    print(`${(bytes / 1024).toFixed(1)} KiB each`);
    printRatio(`${name}, ours / nginx static`, median(ratios), minRatio);
  }

  /** nginx sends just the bytes that we send; ours are compressed by then. */
  async function copy(path: string, name: string): Promise<{ path: string; length: number }> {
    const { body } = await ask(service.port, path, headers);
    await writeFile(join(folder, 'www', name), body);
    return { path: `/${name}`, length: body.length };
  }
}

/** @returns the path of an app that is public by a release */
async function publish({ client }: RunningService): Promise<string> {
  const body = { name: 'Bench', description: '', bbox: [-180, -85, 180, 85] };
  const { _id: projectId } = await client.postProject({ body });
  const params = { projectId };
  const module = { name: 'Map', maps: [{ type: 'CesiumMap', name: 'globe' }], startingMapName: 'globe' };
  const { _id: moduleId } = await client.postProjectModule({ params, body: module });
  const { _id: appId } = await client.postProjectApp({
    params,
    body: { name: 'Map', moduleIds: [moduleId] },
  });
  await client.postProjectAppRelease({ params: { projectId, appId }, body: {} });
  await client.putProjectAppPublic({ params: { projectId, appId } });
  return `/app/${appId}/`;
}

/** The bytes as they come, whatever packs them. */
function ask(port: number, path: string, sent: Record<string, string>): Promise<{ body: Buffer }> {
  return new Promise((resolve, reject) => {
    get({ port, path, headers: sent, agent: false }, (reply) => {
      if (reply.statusCode !== 200) return reject(new Error(`${path} answered ${reply.statusCode}.`));
      const chunks: Buffer[] = [];
      reply.on('data', (chunk: Buffer) => chunks.push(chunk));
      return reply.on('end', () => resolve({ body: Buffer.concat(chunks) }));
    }).on('error', reject);
  });
}
