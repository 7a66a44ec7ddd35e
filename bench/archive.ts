import { randomBytes } from 'node:crypto';
import { closeSync, createReadStream, openSync, writeSync } from 'node:fs';
import { chmod, mkdir, mkdtemp, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { gzipSync } from 'node:zlib';
import { runService, type RunningService } from '@platen/e2e/processes';
import { compression, tileType } from '@platen/geo/pmtiles/header';
import { createLogInMemory } from '@platen/geo/pmtiles/log-in-memory';
import { tileIdOf } from '@platen/geo/pmtiles/tile-id';
import { createArchiveWriter } from '@platen/geo/pmtiles/writer';
import { compareRates, measureLatencies, median } from './load.ts';
import { nginx, startNginx } from './nginx.ts';
import { publishDatasource } from './publish-datasource.ts';
import { print, printRatio } from './report.ts';

const gigabytes = Number(process.env['BENCH_ARCHIVE_GB'] ?? 10);
const zoom = 9;
const tileCount = (4 ** (zoom + 1) - 1) / 3;
const tileBytes = Math.floor((gigabytes * 1e9) / tileCount);
const sampleSize = 5000;
const rounds = 5;
const ratePerSecond = 500;

/**
 * Single tiles of one large PMTiles archive, beside nginx that serves the same tiles as files, and what they take at a
 * steady 500 requests per second.
 */
export async function benchArchive(): Promise<void> {
  if (nginx === undefined) return print('skipped: no nginx (apt-get install nginx-light)');
  const service = await runService();
  const folder = await mkdtemp(join(tmpdir(), 'platen-archive-'));
  let server: Awaited<ReturnType<typeof startNginx>> | undefined;
  try {
    const path = join(folder, 'tiles.pmtiles');
    writeArchive(path);
    const base = await publishArchive(service, path);
    await rm(path);
    await mkdir(join(folder, 'www'));
    await chmod(folder, 0o755);
    const chosen = Array.from({ length: sampleSize }, anyTile);
    await copyTiles(join(folder, 'www'), chosen);
    const tiles = chosen.map((tile) => tile.path);
    server = await startNginx(nginx, folder);
    const ours = tiles.map((tile) => base + tile);
    const headers = { 'accept-encoding': 'gzip' };
    const common = { headers, connections: 16, durationMs: 2000 };
    const ratios = await compareRates(
      {
        ours: { port: service.port, paths: ours, ...common },
        theirs: { port: server.port, paths: tiles, ...common },
        rounds,
      },
      (ourRate, nginxRate) => print(`${ourRate.toFixed(0)}/s, nginx ${nginxRate.toFixed(0)}/s`),
    );
    const what = `${sampleSize} tiles of ${tileBytes} bytes in a PMTiles of ${gigabytes} GB`;
    printRatio(`${what}, ours / nginx static`, median(ratios), 0.4);
    for (const [who, port, paths] of [
      ['ours', service.port, ours],
      ['nginx', server.port, tiles],
    ] as const) {
      const times = await measureLatencies({ port, paths, ...common, durationMs: 20_000, ratePerSecond });
      const at = (share: number) => times[Math.floor(times.length * share)]!.toFixed(2);
      print(`${who} at ${ratePerSecond}/s: median ${at(0.5)} ms, p99 ${at(0.99)} ms (target of ours: < 10)`);
    }
  } finally {
    await server?.stop();
    await service.stop();
    await rm(folder, { recursive: true, force: true });
  }
}

interface Address {
  readonly path: string;
  readonly id: number;
}

function anyTile(): Address {
  const [x, y] = [Math.floor(Math.random() * 2 ** zoom), Math.floor(Math.random() * 2 ** zoom)];
  return { path: `/${zoom}/${x}/${y}.pbf`, id: tileIdOf(zoom, x, y) };
}

/** A tile of one point with a long attribute that holds the id, so that no two are equal; packed, but no smaller. */
function tileOf(id: number): Uint8Array {
  mvt.write(id.toString(16).padStart(8, '0'), valueAt, 'latin1');
  return gzipSync(mvt, { level: 0 });
}

const field = (number: number, bytes: Uint8Array) =>
  Buffer.concat([Buffer.of((number << 3) | 2), varint(bytes.length), bytes]);
const value = field(1, Buffer.alloc(tileBytes - 100, randomBytes(512).toString('hex')));
/** Mapbox Vector Tile 2.1: a layer with its name, a feature, a key, a value, the extent and the version. */
const layer = Buffer.concat([
  field(1, Buffer.from('bench')),
  field(2, Buffer.of(0x12, 2, 0, 0, 0x18, 1, 0x22, 3, 9, 0, 0)),
  field(3, Buffer.from('id')),
  field(4, value),
  Buffer.of(0x28, 0x80, 0x20, 0x78, 2),
]);
const mvt = field(3, layer);
const valueAt = mvt.indexOf(value) + value.length - (tileBytes - 100);

function varint(number: number): Buffer {
  const bytes: number[] = [];
  for (let left = number; ; left >>>= 7) {
    if (left < 0x80) return Buffer.from([...bytes, left]);
    bytes.push((left & 0x7f) | 0x80);
  }
}

/** Every tile of the zooms, each with bytes of its own that look packed. */
function writeArchive(path: string): void {
  const file = openSync(path, 'w');
  const entries = createLogInMemory();
  const write = (offset: number, bytes: Uint8Array) => void writeSync(file, bytes, 0, bytes.length, offset);
  const writer = createArchiveWriter({ write, entries, gzip: (bytes) => gzipSync(bytes) });
  for (let id = 0; id < tileCount; id++) writer.addTile(id, tileOf(id));
  writer.finish({
    tileType: tileType.mvt,
    tileCompression: compression.gzip,
    metadata: { vector_layers: [{ id: 'bench', fields: {} }] },
    minZoom: 0,
    maxZoom: zoom,
    bounds: [-180, -85, 180, 85],
    center: [0, 0, 0],
  });
  closeSync(file);
  if (tileIdOf(zoom + 1, 0, 0) !== tileCount) throw new Error('The archive has other zooms than were meant.');
}

async function publishArchive(service: RunningService, path: string): Promise<string> {
  const body = { name: 'Archive', description: '', bbox: [-180, -85, 180, 85] };
  const { _id: projectId, defaultDataBucketId: dataBucketId } = await service.client.postProject({ body });
  // by tus, as fetch would take the whole of a form into memory
  const headers = {
    'upload-length': `${(await stat(path)).size}`,
    'upload-metadata': `filename ${btoa('tiles.pmtiles')}`,
  };
  const tus = `${service.url}/api/v1/project/${projectId}/data-bucket/${dataBucketId}/tus`;
  const common = { authorization: `Bearer ${service.token}`, 'tus-resumable': '1.0.0' };
  const begun = await fetch(tus, { method: 'POST', headers: { ...common, ...headers } });
  const sent = await fetch(new URL(begun.headers.get('location')!, service.url), {
    method: 'PATCH',
    headers: { ...common, 'upload-offset': '0', 'content-type': 'application/offset+octet-stream' },
    body: Readable.toWeb(createReadStream(path, { highWaterMark: 2 ** 20 })) as ReadableStream,
    duplex: 'half',
  } as RequestInit);
  if (!sent.ok) throw new Error(`The upload was answered by ${sent.status}: ${await sent.text()}`);
  const file = { projectId, dataBucketId, key: 'tiles.pmtiles', type: 'vectortiles' } as const;
  return (await publishDatasource(service, file)).replace(/\/(%7B|\{).*$/, '');
}

/** nginx sends just the bytes that we send. */
async function copyTiles(folder: string, tiles: readonly Address[]): Promise<void> {
  for (const { path, id } of tiles) {
    await mkdir(join(folder, path, '..'), { recursive: true });
    await writeFile(join(folder, path), tileOf(id));
  }
}
