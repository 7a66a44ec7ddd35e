import assert from 'node:assert/strict';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { test } from 'node:test';
import type { Browser, Frame, Page, Request } from 'playwright-core';
import { findChromium, howToGetIt } from './chromium.ts';
import type { RunningService } from './processes.ts';
import { sharedBrowser, sharedService } from './testing-shared.ts';

const executable = findChromium();
const skip = executable === undefined && howToGetIt;
const timeout = 60_000;
const password = 'the council of 2026';
const points = [
  [13.3, 52.5],
  [13.4, 52.5],
  [13.5, 52.5],
];

test(
  'a share link with a password shows its map in a frame of another site, of that site alone, until it is closed',
  { skip, timeout: 300_000 },
  async () => {
    const service = await sharedService();
    const city = await servePages();
    const browser = await sharedBrowser(executable!);
    try {
      const { port } = city.address() as AddressInfo;
      const origin = `http://localhost:${port}`;
      const link = await share(service, origin);
      const requests: Request[] = [];
      const page = await openPage(browser, requests);
      await page.goto(`${origin}/?frame=${encodeURIComponent(link.address)}`);
      const data = await seeMap(page, requests);
      await refusedIn(browser, `http://127.0.0.1:${port}/?frame=${encodeURIComponent(link.address)}`);
      assert.equal((await fetch(data)).status, 200);
      await service.client.deleteProjectAppShareLink({ params: link.params });
      assert.equal((await fetch(data)).status, 404);
      await page.reload();
      await frameOf(page).then((frame) => frame.getByText('This link is not valid').waitFor({ timeout }));
    } finally {
      await browser.close();
      city.close();
    }
  },
);

/** The pages of another site: what the address names is shown in a frame. */
async function servePages(): Promise<Server> {
  const server = createServer(({ url = '' }, response) => {
    const frame = new URL(url, 'http://localhost').searchParams.get('frame') ?? 'about:blank';
    response.setHeader('content-type', 'text/html');
    response.end(`<!doctype html><h1>Our city</h1><iframe width="640" height="480" src="${frame}"></iframe>`);
  });
  await new Promise<void>((resolve) => server.listen(0, resolve));
  return server;
}

async function share({ client, url }: RunningService, origin: string) {
  const body = { name: 'City', description: '', bbox: [-180, -85, 180, 85] };
  const { _id: projectId, defaultDataBucketId: dataBucketId } = await client.postProject({ body });
  const params = { projectId };
  const features = points.map((coordinates) => ({
    type: 'Feature',
    properties: {},
    geometry: { type: 'Point', coordinates },
  }));
  const form = new FormData();
  const file = JSON.stringify({ type: 'FeatureCollection', features });
  form.append('points.geojson', new Blob([file]), 'file');
  await client.postProjectDataBucketUpload({ params: { projectId, dataBucketId }, body: form });
  const { _id: datasourceId } = await client.postProjectDatasource({
    params,
    body: {
      name: 'Points',
      type: 'geojson',
      sourceProperties: { type: 'internal', dataBucketId, dataBucketKey: 'points.geojson' },
    },
  });
  const module = {
    name: 'City',
    layers: [{ type: 'GeoJSONLayer', name: 'points', datasourceId, activeOnStartup: true }],
    maps: [{ type: 'OpenlayersMap', name: 'flat' }],
    startingMapName: 'flat',
  };
  const { _id: moduleId } = await client.postProjectModule({ params, body: module });
  const { _id: appId } = await client.postProjectApp({
    params,
    body: { name: 'City', moduleIds: [moduleId] },
  });
  const link = await client.postProjectAppShareLink({
    params: { projectId, appId },
    body: { name: 'For the council', password, allowedOrigins: [origin] },
  });
  return { address: url + link.url, params: { projectId, appId, shareLinkId: link._id } };
}

async function openPage(browser: Browser, requests: Request[]): Promise<Page> {
  const page = await browser.newPage({ locale: 'en-GB' });
  page.on('request', (request) => {
    if (new URL(request.url()).port !== new URL(page.url()).port) requests.push(request);
  });
  return page;
}

async function frameOf(page: Page): Promise<Frame> {
  const element = await page.waitForSelector('iframe');
  return (await element.contentFrame())!;
}

/** @returns the address of the layer's data */
async function seeMap(page: Page, requests: readonly Request[]): Promise<string> {
  const frame = await frameOf(page);
  await frame.getByLabel('Password').fill('a guess');
  await frame.getByRole('button').click();
  await frame.getByText('Wrong password.').waitFor({ timeout });
  await frame.getByLabel('Password').fill(password);
  await frame.getByRole('button').click();
  await frame.waitForFunction(numberOfPoints, undefined, { timeout, polling: 250 });
  assert.equal(await frame.evaluate(numberOfPoints), points.length);
  const data = requests.map((request) => request.url()).find((url) => url.includes('/data/t/')) ?? '';
  assert.match(data, /\/data\/t\/[\w-]{43}\/\w+\/~1\/points\.geojson$/);
  for (const request of requests) {
    const { cookie, referer = '' } = await request.allHeaders();
    assert.equal(cookie, undefined, request.url());
    assert.ok(!referer.includes('/share/'), `${request.url()} is told ${referer}`);
    assert.ok(!decodeURIComponent(request.url()).includes(password));
  }
  // the address of the visit is good for another look
  const visit = frame.url();
  await frame.goto(visit);
  await frame.waitForFunction(numberOfPoints, undefined, { timeout, polling: 250 });
  return data;
}

/** Runs in the frame. */
function numberOfPoints(): number {
  const { vcs } = globalThis as unknown as { vcs?: Engine };
  const layer = vcs?.getFirstApp?.()?.layers.getByKey('points');
  return layer?.active ? (layer.getFeatures?.().length ?? 0) : 0;
}

interface Engine {
  getFirstApp?(): { readonly layers: { getByKey(name: string): Layer | undefined } } | undefined;
}
interface Layer {
  readonly active: boolean;
  getFeatures?(): unknown[];
}

async function refusedIn(browser: Browser, address: string): Promise<void> {
  const page = await browser.newPage();
  const refused = page.waitForEvent('console', {
    predicate: (message) => message.text().includes('frame-ancestors'),
    timeout,
  });
  await page.goto(address);
  await refused;
  const frame = await frameOf(page);
  assert.equal(await frame.getByLabel('Password').count(), 0);
  await page.close();
}
