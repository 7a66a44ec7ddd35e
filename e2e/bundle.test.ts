import assert from 'node:assert/strict';
import { mkdir, mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test, type TestContext } from 'node:test';
import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';
import type { DatasourceType } from '@platen/contract/datasource-types';
import { buildArchiveInMemory } from '@platen/geo/pmtiles/archive-in-memory';
import { compression, tileType } from '@platen/geo/pmtiles/header';
import { tileIdOf } from '@platen/geo/pmtiles/tile-id';
import type { Browser, Page } from 'playwright-core';
import { findChromium, howToGetIt } from './chromium.ts';
import { runService, type RunningService } from './processes.ts';
import { cubeArchive, squareTile, tileAt, type Point } from './testing-archives.ts';
import { nginx, serveByNginx, serveTinily } from './testing-static.ts';
import { sharedBrowser } from './testing-shared.ts';
import { unpackBundle } from './testing-unpack.ts';

const executable = findChromium();
const shots = fileURLToPath(new URL('shots/', import.meta.url));
const mapTimeoutSeconds = 180;
/** Minimum number of pixels per colour, of 400 × 300. */
const minPixels = 300;
const center: Point = { lon: 13.4, lat: 52.5 };
const colours = { red: [255, 0, 0], magenta: [255, 0, 255], yellow: [255, 255, 0] } as const;

const skip = executable === undefined && howToGetIt;

test(
  'an app that was downloaded runs in a folder of any web server, without its service',
  { skip, timeout: 600_000 },
  async (t) => {
    const scratch = await mkdtemp(join(tmpdir(), 'platen-bundle-'));
    t.after(() => rm(scratch, { recursive: true, force: true }));
    const www = join(scratch, 'www');
    const folder = 'maps of us/2026';
    await mkdir(join(www, folder), { recursive: true });
    const own = await download(join(www, folder));
    const address = `${folder}/${own}/`.split('/').map(encodeURIComponent).join('/');
    const browser = await sharedBrowser(executable!, { map: true });
    try {
      const counter = await browser.newPage();
      const tiny = await serveTinily(www);
      const isPictured = nginx === undefined;
      await show(
        t,
        { browser, counter },
        { address: `${tiny.url}/${address}`, name: 'bundle-tiny', isPictured },
      ).finally(() => tiny.stop());
      if (nginx === undefined) {
        t.diagnostic('LEFT OUT: nginx is not installed (apt-get install nginx)');
        return;
      }
      const server = await serveByNginx(www, scratch);
      await show(
        t,
        { browser, counter },
        { address: `${server.url}/${address}`, name: 'bundle-nginx', isPictured: true },
      ).finally(() => server.stop());
    } finally {
      await browser.close();
    }
  },
);

/** Makes a public app of three kinds of data, unpacks its download, and ends the service for good. */
async function download(folder: string): Promise<string> {
  const service = await runService({ env: { PLATEN_RUNNERS: '0' } });
  try {
    const path = await publish(service);
    const reply = await service.client.getProjectAppDownload({ params: path });
    await unpackBundle(reply, folder);
    const [own, ...others] = await readdir(folder);
    assert.deepEqual([own, others], ['Squares & cubes', []]);
    return own!;
  } finally {
    await service.stop();
  }
}

async function publish({ client }: RunningService): Promise<{ projectId: string; appId: string }> {
  const body = { name: 'Bundles', description: '', bbox: [-180, -85, 180, 85] };
  const { _id: projectId, defaultDataBucketId: dataBucketId } = await client.postProject({ body });
  const params = { projectId };
  const data: [type: DatasourceType, key: string, content: Uint8Array, more?: object][] = [
    ['tileset', 'red.zip', cubeArchive({ ...center, lon: 13.375 }, [1, 0, 0, 1], 'zip')],
    ['vectortiles', 'magenta.pmtiles', squares(), { style: fill('rgba(255,0,255,1)') }],
    [
      'geojson',
      'yellow field.geojson',
      Buffer.from(fieldAt({ ...center, lon: 13.43 })),
      { style: fill('rgba(255,255,0,1)'), vectorProperties: { altitudeMode: 'clampToGround' } },
    ],
  ];
  const form = new FormData();
  for (const [, key, content] of data) form.append('file', new Blob([new Uint8Array(content)]), key);
  await client.postProjectDataBucketUpload({ params: { projectId, dataBucketId }, body: form });
  const layers: object[] = [];
  for (const [type, key, , more] of data) {
    const sourceProperties = { type: 'internal', dataBucketId, dataBucketKey: key } as const;
    const { _id: datasourceId } = await client.postProjectDatasource({
      params,
      body: { name: key, type, sourceProperties },
    });
    const layer = await client.getProjectDatasourceConfig({ params: { ...params, datasourceId } });
    layers.push({ ...layer, ...more, name: key, activeOnStartup: true });
  }
  const start = { distance: 9000, heading: 0, pitch: -90, roll: 0, animate: false };
  const module = {
    name: 'All',
    layers,
    maps: [{ type: 'CesiumMap', name: 'globe' }],
    viewpoints: [{ type: 'Viewpoint', name: 'start', groundPosition: [center.lon, center.lat, 0], ...start }],
    startingMapName: 'globe',
    startingViewpointName: 'start',
  };
  const { _id: moduleId } = await client.postProjectModule({ params, body: module as never });
  const app = {
    name: 'Squares & cubes',
    description: '',
    mapVersion: '^6.3.0',
    moduleIds: [moduleId],
    tools: ['print' as const],
  };
  const { _id: appId } = await client.postProjectApp({ params, body: app });
  return { projectId, appId };
}

const fill = (color: string) => ({ type: 'VectorStyleItem', fill: { color } });

function fieldAt({ lon, lat }: Point): string {
  const [w, e, s, n] = [lon - 0.006, lon + 0.006, lat - 0.006, lat + 0.006];
  const coordinates = [[[w, s], [e, s], [e, n], [w, n], [w, s]]]; // prettier-ignore
  const features = [{ type: 'Feature', properties: {}, geometry: { type: 'Polygon', coordinates } }];
  return JSON.stringify({ type: 'FeatureCollection', features });
}

/** A square in the central tile. The engine requests blocks of 4 × 4 tiles; the others exist and are empty. */
function squares(): Uint8Array {
  const zoom = 13;
  const [x, y] = tileAt(center, zoom);
  const lonOf = (column: number) => (column / 2 ** zoom) * 360 - 180;
  const latOf = (row: number) =>
    (Math.atan(Math.sinh(Math.PI * (1 - (2 * row) / 2 ** zoom))) * 180) / Math.PI;
  const [west, east, south, north] = [lonOf(x + 0.1), lonOf(x + 0.9), latOf(y + 0.9), latOf(y + 0.1)];
  const info = {
    tileType: tileType.mvt,
    tileCompression: compression.gzip,
    metadata: { name: 'Squares', vector_layers: [{ id: 'squares', fields: {} }] },
    minZoom: zoom,
    maxZoom: zoom,
    bounds: [west, south, east, north] as const,
    center: [center.lon, center.lat, zoom] as const,
  };
  const tiles = Array.from({ length: 16 }, (_, i) => {
    const [column, row] = [x - (x % 4) + (i % 4), y - (y % 4) + Math.floor(i / 4)];
    const isFull = column === x && row === y;
    const bytes = gzipSync(isFull ? squareTile() : new Uint8Array(0));
    return { tileId: tileIdOf(zoom, column, row), bytes };
  });
  const ascending = tiles.toSorted((one, other) => one.tileId - other.tileId);
  return buildArchiveInMemory(ascending, info, gzipSync);
}

interface Browsing {
  readonly browser: Browser;
  readonly counter: Page;
}

interface Shown {
  readonly address: string;
  readonly name: string;
  /** Wait until everything is visible, rather than only loaded. */
  readonly isPictured: boolean;
}

/** The last is the script of a tool. */
const data = ['/tileset.json', '/content/cube.glb', '.pbf', '/yellow%20field.geojson', '/index.js'];

/** Opens the page until all is there; nothing fails, and nothing is asked for outside of the folder. */
async function show(t: TestContext, { browser, counter }: Browsing, { address, name, isPictured }: Shown) {
  const page = await browser.newPage({ viewport: { width: 400, height: 300 }, locale: 'en-GB' });
  const complaints: string[] = [];
  const outside: string[] = [];
  const missing = new Set(data);
  page.on('console', (message) => message.type() === 'error' && complaints.push(message.text()));
  page.on('pageerror', (error) => complaints.push(error.message));
  page.on('request', (request) => {
    const isWithin = decodeURIComponent(request.url()).startsWith(decodeURIComponent(address));
    if (!/^(?:data|blob):/.test(request.url()) && !isWithin) outside.push(request.url());
  });
  page.on('response', (response) => {
    if (response.status() >= 400) complaints.push(`${response.status()} ${response.url()}`);
    for (const ending of data) if (new URL(response.url()).pathname.endsWith(ending)) missing.delete(ending);
  });
  const started = performance.now();
  const isSeen = async () => {
    if (missing.size > 0 || !isPictured) return missing.size === 0;
    const seen = await countColours(counter, await page.screenshot({ path: `${shots}${name}.png` }));
    return Object.values(seen).every((count) => count >= minPixels);
  };
  try {
    await mkdir(shots, { recursive: true });
    await page.goto(address, { waitUntil: 'commit' });
    const bar = await page.waitForFunction(() => {
      const isShown = document.querySelector<HTMLImageElement>('#poster img')?.naturalWidth;
      return isShown && getComputedStyle(document.querySelector('#poster')!, '::after').animationName;
    });
    assert.equal(await bar.jsonValue(), 'slide', 'it moves while the map loads');
    await page.screenshot({ path: `${shots}${name}-poster.png` });
    while (!(await isSeen())) {
      const seconds = Math.round((performance.now() - started) / 1000);
      const lack = JSON.stringify({ missing: [...missing], complaints, outside });
      assert.ok(seconds < mapTimeoutSeconds, `not all was to be seen after ${seconds} s: ${lack}`);
      await page.waitForTimeout(500);
    }
    t.diagnostic(`${name}: ${Math.round((performance.now() - started) / 1000)} s`);
    assert.deepEqual(complaints, []);
    assert.deepEqual(outside, []);
  } finally {
    await page.close();
  }
}

/** Counts the pixels of each colour in the browser, which can decode pictures. */
function countColours(counter: Page, picture: Buffer): Promise<Record<string, number>> {
  return counter.evaluate(
    async ([text, wanted]) => {
      const bitmap = await createImageBitmap(await (await fetch(`data:image/png;base64,${text}`)).blob());
      const context = new OffscreenCanvas(bitmap.width, bitmap.height).getContext('2d')!;
      context.drawImage(bitmap, 0, 0);
      const { data } = context.getImageData(0, 0, bitmap.width, bitmap.height);
      const counts = Object.fromEntries(Object.keys(wanted).map((name) => [name, 0]));
      for (let i = 0; i < data.length; i += 4)
        for (const [name, colour] of Object.entries(wanted))
          if (colour.every((band, j) => Math.abs(data[i + j]! - band) < 60)) counts[name]!++;
      return counts;
    },
    [picture.toString('base64'), colours as unknown as Record<string, readonly number[]>] as const,
  );
}
