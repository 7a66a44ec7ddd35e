import assert from 'node:assert/strict';
import { createServer, type Server } from 'node:http';
import { before, test } from 'node:test';
import type { Browser, Request } from 'playwright-core';
import { findChromium, howToGetIt } from './chromium.ts';
import type { RunningService } from './processes.ts';
import { untilFactsAreKnown } from './testing-facts.ts';
import { openMap, type EngineGlobals } from './testing-map-page.ts';
import { startSlowLink } from './testing-slow-link.ts';
import { sharedBrowser, sharedService } from './testing-shared.ts';
import { afterFile } from '../checks/clean-up.ts';

const executable = findChromium();
const skip = executable === undefined && howToGetIt;

let service: RunningService;
let browser: Browser;
let projectId = '';

before(async () => {
  if (executable === undefined) return;
  service = await sharedService();
  browser = await sharedBrowser(executable, { map: true });
  const body = { name: 'City', description: '', bbox: [-180, -85, 180, 85] };
  ({ _id: projectId } = await service.client.postProject({ body }));
});
afterFile(() => browser?.close());

interface Fields {
  readonly mapType: 'CesiumMap' | 'OpenlayersMap';
  readonly datasourceId?: string;
  readonly frameOrigins?: string[];
}

/** The path of an app that is public. */
async function publish({ mapType, datasourceId, frameOrigins = [] }: Fields): Promise<string> {
  const { client } = service;
  const layer = { type: 'GeoJSONLayer', name: 'squares', activeOnStartup: true, datasourceId };
  const module = {
    name: 'Map',
    maps: [{ type: mapType, name: 'map' }],
    layers: datasourceId === undefined ? [] : [layer],
    startingMapName: 'map',
  };
  const params = { projectId };
  const { _id: moduleId } = await client.postProjectModule({ params, body: module });
  const body = { name: 'Map', moduleIds: [moduleId], frameOrigins };
  const { _id: appId } = await client.postProjectApp({ params, body });
  await client.putProjectAppPublic({ params: { projectId, appId } });
  return `/app/${appId}/`;
}

/** A page that shows another in a frame, for whichever name it is asked by. */
async function startSite(framed: string): Promise<{ port: number; server: Server }> {
  const server = createServer((_request, reply) =>
    reply
      .setHeader('content-type', 'text/html')
      .end(`<!doctype html><title>Site</title><iframe src="${framed}" width="400" height="300"></iframe>`),
  );
  await new Promise<void>((resolve) => server.listen(0, resolve));
  return { port: (server.address() as { port: number }).port, server };
}

test(
  'a page of an allowed origin shows the map in a frame, any other is refused',
  { skip, timeout: 180_000 },
  async () => {
    const path = await publish({ mapType: 'OpenlayersMap' });
    const [, appId] = /\/app\/(\w+)\//.exec(path)!;
    const params = { projectId, appId: appId! };
    const { url } = await service.client.getProjectAppEmbed({ params });
    const { port, server } = await startSite(url);
    const frameOrigins = [`http://localhost:${port}`];
    await service.client.putProjectApp({ params, body: { frameOrigins } });
    const page = await browser.newPage({ viewport: { width: 480, height: 400 } });
    try {
      const refusals: string[] = [];
      page.on('console', (message) => {
        if (message.text().includes('frame-ancestors')) refusals.push(message.text());
      });
      // console messages arrive after the page has loaded
      const requireRefusals = async (count: number) => {
        for (let n = 0; n < 300 && refusals.length < count; n++) await page.waitForTimeout(100);
        assert.equal(refusals.length, count);
      };
      const isShown = async (site: string) => {
        await page.goto(site);
        for (let waitedMs = 0; waitedMs < 60_000; waitedMs += 100) {
          const frame = page.frames()[1];
          if (frame?.url().startsWith('chrome-error:')) return false;
          if (await frame?.evaluate(isStarted).catch(() => false)) return true;
          await page.waitForTimeout(100);
        }
        throw new Error(`The frame of ${site} is neither shown nor refused.`);
      };
      assert.equal(await isShown(`http://127.0.0.1:${port}/`), false);
      await requireRefusals(1);
      assert.equal(await isShown(`http://localhost:${port}/`), true);
      await service.client.putProjectApp({ params, body: { frameOrigins: [] } });
      assert.equal(await isShown(`http://localhost:${port}/`), false);
      await service.client.putProjectApp({ params, body: { frameOrigins: ['*'] } });
      assert.equal(await isShown(`http://127.0.0.1:${port}/`), true);
      await requireRefusals(2);
    } finally {
      await page.close();
      server.closeAllConnections();
      server.close();
    }
  },
);

/** Runs in the frame. */
function isStarted(): boolean {
  const { vcs } = globalThis as Partial<EngineGlobals>;
  return vcs?.getFirstApp?.()?.maps.activeMap?.name === 'map';
}

const maxFirstViewBytes = 4_500_000;
const maxRepeatedViewBytes = 50_000;

/** A datasource of some thousand bytes. */
async function makeSquares(): Promise<string> {
  const { client } = service;
  const { items } = await client.getProjectDataBuckets({ params: { projectId } });
  const dataBucketId = items[0]!._id;
  const features = Array.from({ length: 200 }, (_, i) => ({
    type: 'Feature',
    properties: { number: i },
    geometry: { type: 'Point', coordinates: [(i % 20) - 10, Math.floor(i / 20)] },
  }));
  const form = new FormData();
  const collection = JSON.stringify({ type: 'FeatureCollection', features });
  form.append('squares.geojson', new Blob([collection]), 'file');
  await client.postProjectDataBucketUpload({ params: { projectId, dataBucketId }, body: form });
  const sourceProperties = { type: 'internal', dataBucketId, dataBucketKey: 'squares.geojson' } as const;
  const body = { name: 'Squares', type: 'geojson', sourceProperties } as const;
  const { _id: datasourceId } = await client.postProjectDatasource({ params: { projectId }, body });
  await untilFactsAreKnown(client, { projectId, datasourceId });
  return datasourceId;
}

test(
  'the first view of a globe takes at most 4.5 MB from the wire, one of the same tiles again 50 kB',
  { skip, timeout: 240_000 },
  async (t) => {
    const path = await publish({ mapType: 'CesiumMap', datasourceId: await makeSquares() });
    // all connections of the browser use this link, including those of workers; headers count too
    const link = await startSlowLink(service.port);
    const context = await browser.newContext({ viewport: { width: 320, height: 240 } });
    try {
      const known = new Set<string>();
      /** Which tiles a view loads depends on how soon the camera is at its place. */
      const view = async () => {
        const before = link.received;
        const knownBefore = known.size;
        const page = await context.newPage();
        const statuses: number[] = [];
        const underWay = new Set<Request>();
        page.on('response', (response) => statuses.push(response.status()));
        page.on('request', (request) => {
          underWay.add(request);
          known.add(request.url());
        });
        page.on('requestfinished', (request) => underWay.delete(request));
        page.on('requestfailed', (request) => underWay.delete(request));
        await openMap(page, link.url + path);
        await page.waitForFunction(isComplete, undefined, { timeout: 120_000, polling: 200 });
        for (let last = -1; last !== link.received || underWay.size > 0;) {
          last = link.received;
          await page.evaluate(drawForSomeTime);
        }
        assert.deepEqual(
          statuses.filter((status) => status >= 400),
          [],
        );
        await page.close();
        return { bytes: link.received - before, isNew: known.size > knownBefore };
      };
      const first = await view();
      let again = await view();
      for (let more = 0; again.isNew && more < 4; more++) again = await view();
      t.diagnostic(`${first.bytes} bytes, then ${again.bytes}`);
      assert.ok(first.bytes <= maxFirstViewBytes, `${first.bytes} bytes`);
      assert.ok(again.bytes <= maxRepeatedViewBytes, `${again.bytes} bytes`);
    } finally {
      await context.close();
      link.close();
    }
  },
);

/** Runs in the page: a second, and longer where a busy machine draws less in it, as what is drawn asks for more. */
async function drawForSomeTime(): Promise<void> {
  await new Promise((resolve) => setTimeout(resolve, 1000));
  for (let frame = 0; frame < 10; frame++) await new Promise(requestAnimationFrame);
}

/** Runs in the page: the globe and the layer are there. */
function isComplete(): boolean {
  const { vcs } = globalThis as unknown as EngineGlobals;
  const { maps, layers } = vcs.getFirstApp();
  const map = maps.activeMap as { getScene?: () => { globe: { tilesLoaded: boolean } } } | null;
  const features = layers.getByKey('squares')!.getFeatures();
  return features.length === 200 && map?.getScene?.().globe.tilesLoaded === true;
}
