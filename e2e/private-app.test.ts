import assert from 'node:assert/strict';
import { mkdir } from 'node:fs/promises';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { apiEndpoints } from '@platen/contract/api';
import { createClient } from '@platen/client/client';
import type { Browser, BrowserContext, Page, Response } from 'playwright-core';
import { findChromium, howToGetIt } from './chromium.ts';
import { vectorTiles, type MapName } from './testing-layers.ts';
import { guest, publish, type App } from './testing-private-app.ts';
import { sharedBrowser, sharedService } from './testing-shared.ts';

const executable = findChromium();
const skip = executable === undefined && howToGetIt;
const shots = fileURLToPath(new URL('shots/', import.meta.url));
const startTimeoutMs = 120_000;
const layerTimeoutMs = 120_000;

test(
  'a guest sees every layer type of a private app, through paths that can be closed at once',
  { skip, timeout: 900_000 },
  async (t) => {
    const service = await sharedService();
    const browser = await sharedBrowser(executable!, { map: true });
    try {
      const app = await publish(service);
      if (!app.samples.some(({ type }) => type === 'i3s')) t.diagnostic('without the SLPK of ../shared/data');
      const answers: Answer[] = [];
      const visits = [
        async (visit: Visit) => {
          await seeLayers(visit, app, ['flat']);
          await overwriteWhileOpen(visit, app);
        },
        (visit: Visit) => seeLayers(visit, app, ['globe', 'oblique', 'panorama']),
      ];
      for (const look of visits) {
        const visit = await openApp(browser, app);
        await look(visit);
        assert.deepEqual(visit.complaints, []);
        answers.push(...visit.answers);
        await visit.context.close();
      }
      t.diagnostic(`${answers.length} answers with data`);
      assert.deepEqual(
        answers.filter(({ status }) => ![200, 204, 206, 304].includes(status)),
        [],
      );
      const stranger = await (await browser.newPage()).goto(app.address);
      assert.equal(stranger?.status(), 404);
      await closeAtOnce(app, new Set(answers.map(({ url }) => url)));
    } finally {
      await browser.close();
    }
  },
);

/** The path between the address of the service and the requested file of a datasource. */
const privatePath = /^\/data\/t\/[\w-]{43}\/(?<id>\w+)\/~(?<revision>\d+)\/(?<rest>.+)$/;

interface Answer {
  readonly url: string;
  readonly status: number;
  readonly response: Response;
}

interface Visit {
  readonly context: BrowserContext;
  readonly page: Page;
  /** Responses to requests for data, in order. */
  readonly answers: Answer[];
  readonly complaints: string[];
}

/** The app in a browser of its own, signed in by the cookie of a session. */
async function openApp(browser: Browser, { service, address }: App): Promise<Visit> {
  const context = await browser.newContext({ viewport: { width: 480, height: 400 }, locale: 'en-GB' });
  const signedIn = await fetch(`${service.url}/api/v1/session`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', origin: service.url },
    body: JSON.stringify(guest),
  });
  const [, name, value] = /^([^=]+)=([^;]+)/.exec(signedIn.headers.getSetCookie()[0]!)!;
  await context.addCookies([{ name: name!, value: value!, url: service.url }]);
  const page = await context.newPage();
  const visit: Visit = { context, page, answers: [], complaints: [] };
  page.on('console', (message) => message.type() === 'error' && visit.complaints.push(message.text()));
  page.on('pageerror', (error) => visit.complaints.push(error.message));
  page.on('request', (request) => {
    const { pathname } = new URL(request.url());
    if (pathname.startsWith('/data/') && !privatePath.test(pathname))
      visit.complaints.push(`asked for ${pathname}`);
  });
  page.on('response', (response) => {
    const [url, status] = [response.url(), response.status()];
    if (status >= 400) visit.complaints.push(`${status} ${url}`);
    if (new URL(url).pathname.startsWith('/data/')) visit.answers.push({ url, status, response });
  });
  await page.goto(address);
  await page.waitForFunction(isStarted, undefined, { timeout: startTimeoutMs, polling: 250 });
  return visit;
}

/** Activates layer after layer on map after map, until the data of each has been asked for and answered. */
async function seeLayers(visit: Visit, { samples }: App, maps: readonly MapName[]): Promise<void> {
  const { page, answers } = visit;
  await mkdir(shots, { recursive: true });
  for (const map of maps) {
    const start = answers.length;
    await page.evaluate(showMap, map);
    for (const { name, place = 'centre', datasourceId, asks } of samples) {
      const path = asks[map];
      if (!path) continue;
      await page.evaluate(lookAt, place);
      await page.evaluate(showLayer, name);
      await answered(visit, `${name} on the map ${map}`, { start, datasourceId, path });
    }
    await page.evaluate(lookAt, 'centre');
    await page.waitForTimeout(4000);
    await page.waitForFunction(isComplete, undefined, { timeout: layerTimeoutMs, polling: 500 });
    await page.screenshot({ path: `${shots}private-app-${map}.png` });
  }
}

interface Expected {
  readonly datasourceId: string;
  readonly path: RegExp;
  readonly revision?: number;
  /** Behind that many answers. */
  readonly start: number;
}

/** Waits for the first answer with content of that kind. */
async function answered(
  { page, answers, complaints }: Visit,
  what: string,
  expected: Expected,
): Promise<Answer> {
  const { datasourceId, path, revision, start } = expected;
  const ofIt = () => answers.slice(start).filter(({ url }) => groupsOf(url)?.['id'] === datasourceId);
  for (const end = Date.now() + layerTimeoutMs; Date.now() < end; await page.waitForTimeout(100)) {
    const found = ofIt().find(({ url, status }) => {
      const groups = groupsOf(url)!;
      const isOfRevision = revision === undefined || Number(groups['revision']) === revision;
      return isOfRevision && path.test(groups['rest']!) && (status === 200 || status === 206);
    });
    if (found) return found;
  }
  const instead = ofIt().map(({ url, status }) => `${status} ${url}`);
  throw new Error(
    `There was no answer for ${what}, only ${instead.join(', ') || 'none at all'}. ${complaints.join(' ')}`,
  );
}

const groupsOf = (url: string) => privatePath.exec(new URL(url).pathname)?.groups;

/** New data is for those who load the map then, at once, and not for the map that is open. */
async function overwriteWhileOpen(visit: Visit, app: App): Promise<void> {
  const { page, answers } = visit;
  const { datasourceId, key, name } = app.samples.find(({ type }) => type === 'vectortiles')!;
  const tile = /^\d+\/\d+\/\d+\.pbf$/;
  const { projectId } = app.params;
  const contentOf = async (revision: number, start: number) => {
    const expected = { datasourceId, path: tile, revision, start };
    const { response } = await answered(visit, `the tiles of revision ${revision}`, expected);
    return (await response.body()).toString('latin1');
  };
  for (const layer of ['circles', 'rings']) {
    const form = new FormData();
    form.append(key, new Blob([new Uint8Array(vectorTiles(layer))]), 'file');
    await app.service.client.postProjectDataBucketUpload({
      params: { projectId, dataBucketId: app.dataBucketId },
      query: { overwrite: true },
      body: form,
    });
    if (layer === 'circles') {
      const start = answers.length;
      await page.evaluate(lookAt, 'elsewhere');
      assert.match(await contentOf(1, start), /squares/);
    }
    const start = answers.length;
    await page.reload();
    await page.waitForFunction(isStarted, undefined, { timeout: startTimeoutMs, polling: 250 });
    await page.evaluate(showLayer, name);
    // uploads that follow each other are one revision
    assert.match(await contentOf(2, start), new RegExp(layer));
  }
}

/** Anyone with the URLs can read the data until the guest revokes them. */
async function closeAtOnce({ service, params }: App, addresses: ReadonlySet<string>): Promise<void> {
  const statuses = async () => {
    const found = new Map<number, number>();
    for (const url of addresses) {
      const answer = await fetch(url);
      await answer.body?.cancel();
      found.set(answer.status, (found.get(answer.status) ?? 0) + 1);
    }
    return found;
  };
  const open = await statuses();
  assert.equal((open.get(200) ?? 0) + (open.get(204) ?? 0), addresses.size, JSON.stringify([...open]));
  const anonymous = createClient(apiEndpoints, { baseUrl: service.url });
  const { token } = await anonymous.postLogin({ body: guest });
  await createClient(apiEndpoints, { baseUrl: service.url, token }).deleteProjectAppCapability({ params });
  assert.deepEqual([...(await statuses())], [[404, addresses.size]]);
}

function isStarted(): boolean {
  const { vcs } = globalThis as unknown as { vcs?: Engine };
  return vcs?.getFirstApp?.()?.maps.activeMap !== null && vcs?.getFirstApp?.() !== undefined;
}

/** Whether the globe, if there is one, has loaded all tiles. */
function isComplete(): boolean {
  const { vcs } = globalThis as unknown as { vcs: Engine };
  return vcs.getFirstApp()!.maps.activeMap!.getScene?.()?.globe.tilesLoaded !== false;
}

async function showMap(name: string): Promise<void> {
  const { vcs } = globalThis as unknown as { vcs: Engine };
  await vcs.getFirstApp()!.maps.setActiveMap(name);
}

async function showLayer(name: string): Promise<void> {
  const { vcs } = globalThis as unknown as { vcs: Engine };
  for (const layer of vcs.getFirstApp()!.layers) if (layer.name === name) await layer.activate();
}

async function lookAt(name: string): Promise<void> {
  const { vcs } = globalThis as unknown as { vcs: Engine };
  const { maps, viewpoints } = vcs.getFirstApp()!;
  await maps.activeMap!.gotoViewpoint(viewpoints.getByKey(name)!);
}

interface Engine {
  getFirstApp(): EngineApp | undefined;
}
interface EngineMap {
  gotoViewpoint(viewpoint: object): Promise<void>;
  getScene?: () => { readonly globe: { readonly tilesLoaded: boolean } } | undefined;
}

interface EngineApp {
  readonly maps: {
    readonly activeMap: EngineMap | null;
    setActiveMap(name: string): Promise<void>;
  };
  readonly layers: Iterable<{ readonly name: string; activate(): Promise<void> }>;
  readonly viewpoints: { getByKey(name: string): object | undefined };
}
