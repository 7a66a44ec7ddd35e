import assert from 'node:assert/strict';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { test, type TestContext } from 'node:test';
import { gzipSync } from 'node:zlib';
import { buildArchiveInMemory } from '@platen/geo/pmtiles/archive-in-memory';
import type { Directory } from '@platen/geo/pmtiles/directory';
import { compression, tileType } from '@platen/geo/pmtiles/header';
import { lastLeaves, openArchives, readArchiveTiles, type ArchiveCore } from './archive-tiles.ts';

/** Has one tile at the top. */
function archive(more: object = {}, tile = 'tile'): Uint8Array {
  const info = {
    tileType: tileType.png as number,
    tileCompression: compression.none as number,
    metadata: {},
    minZoom: 3,
    maxZoom: 14,
    bounds: [-180, -85, 180, 85] as const,
    center: [0, 0, 0] as const,
    ...more,
  };
  return buildArchiveInMemory([{ tileId: 0, bytes: Buffer.from(tile) }], info, gzipSync);
}

/** Never answers for paths that start with /silent. */
async function serve(t: TestContext, files: Record<string, Uint8Array>) {
  const tags = { etag: '"first"' };
  const server = createServer((request, response) => {
    const { url = '', headers } = request;
    if (url.startsWith('/silent')) return;
    const [, first, last] = /^bytes=(\d+)-(\d+)$/.exec(headers.range ?? '') ?? [];
    const part = files[url.slice(1)]?.subarray(Number(first), Number(last) + 1);
    response.writeHead(part === undefined ? 404 : 206, tags).end(part);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  t.after(() => (server.closeAllConnections(), server.close()));
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, tags };
}

test('archives give layers their zooms; late ones and those that cannot be drawn are named once', async (t) => {
  const files: Record<string, Uint8Array> = {
    pictures: archive(),
    vectors: archive({ tileType: tileType.mvt, tileCompression: compression.gzip }),
    brotli: archive({ tileCompression: compression.brotli }),
    odd: archive({ tileType: 6 }),
    unknown: archive({ tileType: tileType.unknown }),
  };
  const { url } = await serve(t, files);
  const layer = (name: string, more: object = {}) => ({
    type: 'WMTSLayer',
    name,
    url: `${url}/${name}#pmtiles/{TileMatrix}/{TileCol}/{TileRow}`,
    properties: { title: `The ${name}` },
    ...more,
  });
  const modules = [
    { name: 'No layers' },
    {
      layers: [
        layer('pictures', { minLevel: 1, maxLevel: 20 }),
        layer('vectors', { minLevel: 5, maxLevel: 8 }),
        layer('pictures', { minLevel: 15, properties: { title: 'Near' } }),
        ...['brotli', 'odd', 'unknown', 'gone', 'silent'].map((name) => layer(name)),
      ],
    },
  ];
  const named: string[] = [];
  const open = async () => {
    const [, module] = await openArchives(modules, (title) => named.push(title));
    return module!['layers'] as Record<string, unknown>[];
  };
  const began = performance.now();
  const [pictures, vectors, ...left] = await open();
  const waited = performance.now() - began;
  assert(waited > 2400 && waited < 9000, `${waited} ms`);
  assert.deepEqual([pictures!['minLevel'], pictures!['maxLevel']], [3, 14]);
  assert.deepEqual(vectors!['type'], 'VectorTileLayer');
  const { baseLevels } = vectors!['tileProvider'] as { baseLevels: number[] };
  assert.deepEqual([vectors!['minLevel'], baseLevels], [5, [5, 6, 7, 8]]);
  for (const layer of left) assert.deepEqual([layer['type'], layer['url']], ['VectorLayer', undefined]);
  const titles = ['Near', 'The brotli', 'The odd', 'The unknown', 'The gone', 'The silent'];
  assert.deepEqual(named.toSorted(), titles.toSorted());

  files['gone'] = archive();
  const againAt = performance.now();
  const again = await open();
  assert(performance.now() - againAt < 2000, 'a silent archive is waited for once');
  assert.equal(again.find(({ name }) => name === 'gone')!['type'], 'WMTSLayer');
  assert.equal(named.length, titles.length);
});

test('an archive that is replaced is read anew, instead of at places of the old one', async (t) => {
  const whole = { minZoom: 0 };
  const files = { map: archive(whole, 'old') };
  const { url, tags } = await serve(t, files);
  const provider: ArchiveCore['MVTTileProvider']['prototype'] = {
    url: `${url}/map#pmtiles/{z}/{x}/{y}`,
    async loader() {
      return [{ text: await (await fetch(this.url)).text() }];
    },
  };
  const other = { prototype: {} };
  const core = { WmtsOpenlayersImpl: other, WmtsCesiumImpl: other, MVTTileProvider: { prototype: provider } };
  readArchiveTiles(core as unknown as ArchiveCore);
  const read = () => provider.loader(0, 0, 0, {});
  assert.deepEqual(await read(), [{ text: 'old' }]);
  files.map = archive({ ...whole, metadata: { name: 'Longer' } }, 'new tile');
  tags.etag = '"second"';
  assert.deepEqual(await read(), [{ text: 'new tile' }]);
  Object.assign(tags, { etag: [] });
  assert.deepEqual(await read(), [{ text: 'new tile' }], 'an answer without a tag is no other archive');
});

test('of the leaf directories of an archive, the 64 that were used last are kept', async () => {
  const loaded: number[] = [];
  const find = lastLeaves().forArchive(async (offset) => {
    loaded.push(offset);
    return {} as Directory;
  });
  for (let offset = 0; offset < 64; offset++) await find(offset, 1);
  await find(0, 1);
  await find(64, 1);
  assert.equal(loaded.length, 65);
  await find(0, 1);
  assert.equal(loaded.length, 65);
  await find(1, 1);
  assert.equal(loaded.length, 66);
});
