import assert from 'node:assert/strict';
import { once } from 'node:events';
import { mkdir, readFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';
import type { BaseMap } from '@platen/contract/base-maps';
import { compression, tileType } from '@platen/geo/pmtiles/header';
import { buildArchiveInMemory } from '@platen/geo/pmtiles/archive-in-memory';
import { encodeTile } from '@platen/viewer/basemap/mvt-tile';
import type { Page } from 'playwright-core';
import sharp from 'sharp';
import { findChromium, howToGetIt } from './chromium.ts';
import { runService } from './processes.ts';
import { openMap } from './testing-map-page.ts';
import { sharedBrowser } from './testing-shared.ts';

const executable = findChromium();
const skip = executable === undefined && howToGetIt;
const shots = fileURLToPath(new URL('shots/', import.meta.url));

/** Pictures, vector tiles, and what is no archive, read by ranges from an origin of its own. */
async function serveArchives() {
  const files = new Map<string, Uint8Array>([
    ['/dark.pmtiles', await readFile(new URL('../viewer/basemap/world-dark.pmtiles', import.meta.url))],
    ['/woods.pmtiles', woodsArchive()],
    ['/page.pmtiles', Buffer.from('<!doctype html>'.repeat(20_000))],
  ]);
  const sent = { bytes: 0 };
  const server = createServer((request, response) => {
    const file = files.get(request.url!);
    const [, first, last] = /^bytes=(\d+)-(\d+)$/.exec(request.headers.range ?? '') ?? [];
    response.setHeader('access-control-allow-origin', '*');
    response.setHeader('access-control-allow-headers', 'range');
    if (request.method === 'OPTIONS' || file === undefined || first === undefined)
      return response.writeHead(file === undefined ? 404 : 200).end();
    const part = file.subarray(Number(first), Number(last) + 1);
    sent.bytes += part.length;
    return response.writeHead(206).end(part);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const stop = () => (server.closeAllConnections(), server.close());
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, sent, stop };
}

/** One vector tile, which is wood all over, also where our own world has water. */
function woodsArchive(): Uint8Array {
  const square = [
    [0, 0],
    [4096, 0],
    [4096, 4096],
    [0, 4096],
  ] as const;
  const tile = encodeTile({ landcover: [{ type: 'polygon', parts: [square] }] });
  const info = {
    tileType: tileType.mvt,
    tileCompression: compression.gzip,
    metadata: {},
    minZoom: 0,
    maxZoom: 0,
    bounds: [-180, -85, 180, 85] as const,
    center: [0, 0, 0] as const,
  };
  return buildArchiveInMemory([{ tileId: 0, bytes: gzipSync(tile) }], info, gzipSync);
}

test(
  'base maps in PMTiles archives of other servers are drawn, as pictures and as vector tiles',
  { skip, timeout: 300_000 },
  async (t) => {
    const archives = await serveArchives();
    const service = await runService();
    const browser = await sharedBrowser(executable!, { map: true });
    t.after(async () => {
      await browser.close();
      await service.stop();
      archives.stop();
    });
    const { client, url } = service;
    const archive = (id: string): BaseMap => ({
      id,
      name: `Archive ${id}`,
      type: 'pmtiles',
      url: `${archives.url}/${id}.pmtiles`,
      attribution: { text: 'Natural Earth' },
    });
    const { _id: projectId } = await client.postProject({
      body: {
        name: 'City',
        description: '',
        bbox: [-180, -85, 180, 85],
        baseMaps: ['dark', 'woods', 'page'].map(archive),
      },
    });
    const params = { projectId };
    const flat = await client.postProjectModule({ params, body: moduleOf('OpenlayersMap') as never });
    const globe = await client.postProjectModule({ params, body: moduleOf('CesiumMap') as never });
    const publish = async (baseMap: string, { map = flat, mapVersion = '~6.3' } = {}) => {
      const { _id: appId } = await client.postProjectApp({
        params,
        body: { name: baseMap, moduleIds: [map._id], baseMaps: [baseMap], mapVersion },
      });
      await client.putProjectAppPublic({ params: { projectId, appId } });
      return `${url}/app/${appId}/`;
    };
    const context = await browser.newContext({ viewport: { width: 480, height: 400 }, locale: 'en-GB' });
    const page = await context.newPage();
    await mkdir(shots, { recursive: true });
    await openMap(page, await publish('dark'));
    await untilColour(page, 'dark', ([red]) => red! < 70);
    await openMap(page, await publish('woods'));
    await untilColour(page, 'woods', isWood);
    for (const mapVersion of ['~6.3', '~6.2', '^5']) {
      await openMap(page, await publish('woods', { map: globe, mapVersion }));
      await untilColour(page, `woods-globe-${mapVersion.slice(1)}`, isWood);
    }
    await openMap(page, await publish('dark', { map: globe }));
    await untilColour(page, 'dark-globe', ([red]) => red! < 70);
    assert.ok(archives.sent.bytes < 1_500_000, `${archives.sent.bytes} bytes were sent`);
    await openMap(page, await publish('page'));
    await page.getByText('The base map “Archive page” does not answer').waitFor();
  },
);

const moduleOf = (type: string) => ({
  name: `Atlantic on ${type}`,
  maps: [{ type, name: 'map', ...(type === 'CesiumMap' && { enableLightning: false }) }],
  viewpoints: [
    {
      type: 'Viewpoint',
      name: 'start',
      groundPosition: [-30, 45, 0],
      distance: 500_000,
      pitch: -90,
      animate: false,
    },
  ],
  startingViewpointName: 'start',
});

type IsRight = (colour: readonly number[]) => boolean;

/** Globes blend colours by one or two. */
const isWood: IsRight = (colour) => colour.every((value, i) => Math.abs(value - [221, 232, 211][i]!) <= 6);

/** What the middle of the map shows, in the Atlantic. */
async function untilColour(page: Page, name: string, isRight: IsRight): Promise<void> {
  const middle = { left: 240, top: 200, width: 1, height: 1 };
  for (const end = Date.now() + 60_000; ; await page.waitForTimeout(250)) {
    const path = `${shots}archive-${name}.png`;
    const shot = await page.screenshot({ path });
    const pixel = await sharp(shot).extract(middle).removeAlpha().raw().toBuffer();
    if (isRight([...pixel])) return;
    if (Date.now() > end) assert.fail(`The map shows ${[...pixel].join()}, see ${path}.`);
  }
}
