// A test of tiles.

import assert from 'node:assert/strict';
import { openAsBlob } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import { test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import type { Browser, Page } from 'playwright-core';
import { findChromium, howToGetIt } from '../chromium.ts';
import type { RunningService } from '../processes.ts';
import { showView, startMapServer } from './testing-map-server.ts';
import { examples } from './testing-tiling.ts';
import { sharedBrowser, sharedService } from '../testing-shared.ts';

const executable = findChromium();
const shots = fileURLToPath(new URL('../shots/', import.meta.url));
/** Size of the map; the page of VC Map adds a header and a footer. */
const size = { width: 800, height: 600 };
const header = 48;
const footer = 22;
/** Excludes the buttons of VC Map on the right. */
const compared = { width: 700, height: size.height };
const maxZoom = 6;
/** The colours of countries by their `tint`, which differs between neighbours. */
const tints = ['#3f8f8b', '#7fa650', '#c9a13b', '#c97a4a', '#5d7fae'] as const;
const views = {
  europe: [12, 50, 3.5],
  americas: [-75, 5, 2.5],
} as const;

test(
  'VC Map and MapLibre show the same countries in the same colours from the tiles of one job',
  { skip: executable === undefined && howToGetIt, timeout: 300_000 },
  async (t) => {
    const service = await sharedService();
    const browser = await sharedBrowser(executable!);
    await mkdir(shots, { recursive: true });
    try {
      const { address, uri } = await publish(service);
      const vcMap = await shotsOfVcMap(browser, service.url + address);
      const maplibre = await shotsOfMapLibre(browser, service.url + uri);
      for (const name of Object.keys(views)) {
        const [one, other] = [maplibre[name]!, vcMap[name]!];
        for (const colour of tints) {
          t.diagnostic(
            `${name}, ${colour}: MapLibre ${percent(one[colour]!)}, VC Map ${percent(other[colour]!)}`,
          );
          assert.ok(one[colour]! > 0.005, `${colour} is seen in MapLibre`);
          assert.ok(Math.abs(one[colour]! - other[colour]!) < 0.02, `${colour} covers as much in both`);
        }
      }
    } finally {
      await browser.close();
    }
  },
);

const percent = (share: number) => `${(share * 100).toFixed(1)} %`;

/** Uploads, tiles, makes an app of it and publishes that. @returns the paths of its page and its tiles */
async function publish({ client }: RunningService): Promise<{ address: string; uri: string }> {
  const bbox: [number, number, number, number] = [-180, -85, 180, 85];
  const project = await client.postProject({ body: { name: 'Side by side', description: '', bbox } });
  const params = { projectId: project._id };
  const dataBucketId = project.defaultDataBucketId;
  const form = new FormData();
  form.append('file', await openAsBlob(`${examples}/countries.geojson`), 'countries.geojson');
  await client.postProjectDataBucketUpload({ params: { ...params, dataBucketId }, body: form });
  const task = await client.postProjectTask({
    params,
    body: {
      name: 'Countries',
      jobType: 'platenTilesVector',
      schedule: { type: 'immediate' },
      parameters: {
        datasource: { command: 'create', name: 'Countries' },
        options: {
          input: { type: 'internal', dataBucketId, dataBucketKey: 'countries.geojson' },
          tiling: { maxZoom },
        },
      },
    },
  });
  const query = { taskId: [task._id] };
  for (;;) {
    const [job] = (await client.getProjectJobs({ params, query })).items;
    if (job?.state === 'succeeded') break;
    if (job && !['queued', 'running'].includes(job.state)) assert.fail(job.errorMessage ?? job.state);
    await sleep(200);
  }
  const [datasource] = (await client.getProjectDatasources({ params })).items;
  const module = await client.postProjectModule({ params, body: moduleOf(datasource!._id) as never });
  const body = { name: 'Map', description: '', mapVersion: '^6.3.0', moduleIds: [module._id] };
  const app = await client.postProjectApp({ params, body });
  await client.putProjectAppPublic({ params: { ...params, appId: app._id } });
  return { address: `/app/${app._id}/`, uri: datasource!.uri };
}

const moduleOf = (datasourceId: string) => ({
  name: 'Countries',
  maps: [{ type: 'OpenlayersMap', name: 'flat' }],
  startingMapName: 'flat',
  layers: [
    {
      type: 'VectorTileLayer',
      name: 'countries',
      datasourceId,
      activeOnStartup: true,
      zIndex: 10,
      tileProvider: {
        type: 'MVTTileProvider',
        baseLevels: Array.from({ length: maxZoom + 1 }, (_, zoom) => zoom),
      },
      style: {
        type: 'DeclarativeStyleItem',
        declarativeStyle: {
          color: { conditions: tints.map((tint, index) => [`\${tint} === ${index}`, `color('${tint}')`]) },
          strokeWidth: '0',
        },
      },
    },
  ],
});

type Shares = Readonly<Record<string, number>>;

async function shotsOfMapLibre(browser: Browser, template: string): Promise<Record<string, Shares>> {
  const layers = [
    { id: 'sea', type: 'background', paint: { 'background-color': '#ffffff' } },
    {
      id: 'land',
      type: 'fill',
      source: 'tiles',
      'source-layer': 'countries',
      paint: {
        'fill-antialias': false,
        'fill-color': [
          'match',
          ['get', 'tint'],
          ...tints.slice(1).flatMap((tint, i) => [i + 1, tint]),
          tints[0],
        ],
      },
    },
  ];
  const server = await startMapServer({
    layers,
    maxZoom,
    async readTile(place) {
      const reply = await fetch(template.replace('{z}/{x}/{y}', place));
      return reply.status === 200 ? new Uint8Array(await reply.arrayBuffer()) : undefined;
    },
  });
  try {
    const page = await browser.newPage({ viewport: size });
    await page.goto(server.url);
    const shares: Record<string, Shares> = {};
    for (const [name, view] of Object.entries(views)) {
      await page.evaluate(showView, view);
      shares[name] = await shoot(page, `side-by-side-${name}-maplibre`, 0);
    }
    return shares;
  } finally {
    await server.stop();
  }
}

async function shotsOfVcMap(browser: Browser, address: string): Promise<Record<string, Shares>> {
  const viewport = { width: size.width, height: header + size.height + footer };
  const page = await browser.newPage({ viewport, locale: 'en-GB' });
  await page.goto(address);
  await page.waitForFunction(isStarted, undefined, { timeout: 120_000 });
  const shares: Record<string, Shares> = {};
  for (const [name, view] of Object.entries(views)) {
    await page.evaluate(showFlatView, view);
    shares[name] = await shoot(page, `side-by-side-${name}-vcmap`, header);
  }
  return shares;
}

interface FlatMap {
  readonly olMap?: {
    getView(): { setCenter(center: number[]): void; setResolution(metresPerPixel: number): void };
    once(event: 'rendercomplete', callback: () => void): void;
    render(): void;
  };
}

interface VcMapPage {
  readonly vcs?: { getFirstApp?: () => { readonly maps: { readonly activeMap?: FlatMap } } | undefined };
}

/** Runs in the page. */
function isStarted(): boolean {
  const map = (globalThis as unknown as VcMapPage).vcs?.getFirstApp?.()?.maps.activeMap;
  return map?.olMap !== undefined;
}

/** Runs in the page: the view that MapLibre has at this zoom, where the world is 512 · 2^zoom pixels wide. */
function showFlatView([lon, lat, zoom]: readonly [number, number, number]): Promise<void> {
  const map = (globalThis as unknown as VcMapPage).vcs!.getFirstApp!()!.maps.activeMap!.olMap!;
  const halfWorld = 20_037_508.342_789_244;
  const y = Math.log(Math.tan(Math.PI / 4 + (lat * Math.PI) / 360)) / Math.PI;
  map.getView().setCenter([(lon / 180) * halfWorld, y * halfWorld]);
  map.getView().setResolution((2 * halfWorld) / (512 * 2 ** zoom));
  return new Promise((resolve) => {
    map.once('rendercomplete', () => setTimeout(resolve, 3000));
    map.render();
  });
}

/** @returns by colour, the share of the picture that has it */
async function shoot(page: Page, name: string, top: number): Promise<Shares> {
  const clip = { x: 0, y: top, ...compared };
  const picture = await page.screenshot({ path: `${shots}${name}.png`, clip });
  return page.evaluate(sharesOf, { base64: picture.toString('base64'), colours: [...tints] });
}

/** Runs in the page, as a browser can read pictures. */
async function sharesOf({ base64, colours }: { base64: string; colours: string[] }): Promise<Shares> {
  const bytes = Uint8Array.from(atob(base64), (character) => character.charCodeAt(0));
  const picture = await createImageBitmap(new Blob([bytes]));
  const context = new OffscreenCanvas(picture.width, picture.height).getContext('2d')!;
  context.drawImage(picture, 0, 0);
  const { data } = context.getImageData(0, 0, picture.width, picture.height);
  const shares: Record<string, number> = {};
  for (const colour of colours) {
    const wanted = [1, 3, 5].map((at) => parseInt(colour.slice(at, at + 2), 16));
    let count = 0;
    for (let i = 0; i < data.length; i += 4) {
      if (wanted.every((value, channel) => Math.abs(data[i + channel]! - value) <= 6)) count++;
    }
    shares[colour] = (count * 4) / data.length;
  }
  return shares;
}
