import { execFileSync } from 'node:child_process';
import { openAsBlob } from 'node:fs';
import { chmod, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { adminPassword, runService } from '@platen/e2e/processes';
import { publishDemo } from '@platen/examples/publish-demo';
import { compareRates, median } from './load.ts';
import { nginx, startNginx } from './nginx.ts';
import { publishDatasource } from './publish-datasource.ts';
import { print, printRatio } from './report.ts';

const rounds = 7;
const durationMs = 2000;
const connections = 16;
const rangeBytes = 65_536;

/** Public tiles and 64 KiB ranges, beside nginx that serves the same bytes as static files. */
export async function benchServe(): Promise<void> {
  if (nginx === undefined) return print('skipped: no nginx (apt-get install nginx-light)');
  const service = await runService();
  const folder = await mkdtemp(join(tmpdir(), 'platen-nginx-'));
  let server: Awaited<ReturnType<typeof startNginx>> | undefined;
  try {
    const { client, url } = service;
    const fileOf = (name: string) => openAsBlob(new URL(`../examples/data/${name}`, import.meta.url));
    await publishDemo({ url, username: 'admin', password: adminPassword, file: fileOf, say: () => {} });
    const { items } = await client.getProjects({ query: { name: ['Demo'] } });
    const projectId = items[0]!._id;
    const datasources = await client.getProjectDatasources({
      params: { projectId },
      query: { name: ['Countries'] },
    });
    const base = `/data/${datasources.items[0]!._id}`;
    await mkdir(join(folder, 'www'), { recursive: true });
    await chmod(folder, 0o755);
    const tiles = await copyTiles(url, base, join(folder, 'www'));
    server = await startNginx(nginx, folder);
    await compare({
      name: `tiles (${tiles.length} of the demo)`,
      ours: tiles.map((tile) => base + tile),
      theirs: tiles,
    });

    // the demo's own upload as a public datasource of one file
    const buckets = await client.getProjectDataBuckets({ params: { projectId } });
    const file = { projectId, dataBucketId: buckets.items[0]!._id, key: 'places.geojsonl' };
    const range = await publishDatasource(service, { ...file, type: 'generic' });
    const bytes = Buffer.from(await (await fetch(url + range)).arrayBuffer());
    await writeFile(join(folder, 'www/places.geojsonl'), bytes);
    await compare({
      name: 'ranges of 64 KiB',
      ours: [range],
      theirs: ['/places.geojsonl'],
      headers: { range: `bytes=${rangeBytes}-${2 * rangeBytes - 1}` },
    });
  } finally {
    await server?.stop();
    await service.stop();
    await rm(folder, { recursive: true, force: true });
  }

  interface Case {
    readonly name: string;
    readonly ours: readonly string[];
    readonly theirs: readonly string[];
    readonly headers?: Readonly<Record<string, string>>;
  }

  async function compare({ name, ours, theirs, headers = {} }: Case): Promise<void> {
    const common = { headers: { 'accept-encoding': 'gzip', ...headers }, connections, durationMs };
    const ratios = await compareRates(
      {
        ours: { port: service.port, paths: ours, ...common },
        theirs: { port: server!.port, paths: theirs, ...common },
        rounds,
      },
      (ourRate, nginxRate) => print(`${name}: ${ourRate.toFixed(0)}/s, nginx ${nginxRate.toFixed(0)}/s`),
    );
    printRatio(`${name}, ours / nginx static`, median(ratios), 0.4);
  }
}

/** The tiles of zoom 0 to 3 as files; nginx sends just the bytes that we send. */
async function copyTiles(url: string, base: string, folder: string): Promise<string[]> {
  const found: string[] = [];
  for (let z = 0; z <= 3; z++) {
    for (let x = 0; x < 2 ** z; x++) {
      for (let y = 0; y < 2 ** z; y++) {
        const reply = await fetch(`${url}${base}/${z}/${x}/${y}.pbf`);
        if (reply.status !== 200) continue;
        await mkdir(join(folder, `${z}/${x}`), { recursive: true });
        const plain = Buffer.from(await reply.arrayBuffer());
        await writeFile(join(folder, `${z}/${x}/${y}.pbf`), execFileSync('gzip', ['-c'], { input: plain }));
        found.push(`/${z}/${x}/${y}.pbf`);
      }
    }
  }
  return found;
}
