import assert from 'node:assert/strict';
import { mkdir } from 'node:fs/promises';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import type { NewDatasource } from '@platen/contract/datasources';
import type { Page } from 'playwright-core';
import sharp from 'sharp';
import { findChromium, howToGetIt } from './chromium.ts';
import { runService, type RunningService } from './processes.ts';
import { untilFactsAreKnown } from './testing-facts.ts';
import { startMapServer, tileColour, wmsColour } from './testing-map-server.ts';
import { openMap, type EngineGlobals } from './testing-map-page.ts';
import { tileZoom, within } from './testing-pictures.ts';
import { sharedBrowser } from './testing-shared.ts';

const executable = findChromium();
const skip = executable === undefined && howToGetIt;
const shots = fileURLToPath(new URL('shots/', import.meta.url));
const centre = { lon: 13.4, lat: 52.5 };
const cell = (column: number, row: number) => ({
  lon: centre.lon + column * 0.045,
  lat: centre.lat + row * 0.027,
});
const places = { wms: cell(-1, 0), tms: cell(1, 0), geojson: cell(0, -1), tiles: cell(0, 1) };
const drawingTimeoutMs = 120_000;
const minPixels = 3000;

/** The colour that each source has on the map. */
const colours = {
  wms: wmsColour,
  tiles: tileColour,
  tms: [128, 64, 0],
  geojson: [200, 0, 200],
} as const;

test(
  'maps draw a WMS, tiles and GeoJSON of other servers by layers that name nothing but the datasource',
  { skip, timeout: 600_000 },
  async (t) => {
    const server = await startMapServer(places);
    const service = await runService({ env: { PLATEN_FETCH_ALLOW: 'http 127.0.0.0/8' } });
    const browser = await sharedBrowser(executable!, { map: true });
    t.after(async () => {
      await browser.close();
      await service.stop();
      await server.stop();
    });
    const address = await publish(service, server.url);
    const context = await browser.newContext({ viewport: { width: 480, height: 400 }, locale: 'en-GB' });
    const page = await context.newPage();
    const complaints: string[] = [];
    page.on('console', (message) => message.type() === 'error' && complaints.push(message.text()));
    page.on('pageerror', (error) => complaints.push(error.message));
    await openMap(page, address);
    await mkdir(shots, { recursive: true });
    for (const map of ['flat', 'globe']) {
      await page.evaluate(showMap, map);
      await untilDrawn(page, map);
    }
    assert.deepEqual(complaints, []);
    assert.ok(server.requests.some(({ path }) => path.includes('GetMap')));
    assert.deepEqual(
      server.requests.filter(({ status }) => status !== 200),
      [],
    );
  },
);

/** The address of an app whose layers are bare. */
async function publish({ client, url }: RunningService, from: string): Promise<string> {
  const { _id: projectId } = await client.postProject({
    body: { name: 'City', description: '', bbox: [-180, -85, 180, 85] },
  });
  const params = { projectId };
  const sources: Pick<NewDatasource, 'type' | 'typeProperties' | 'bbox'>[] = [
    { type: 'wms', typeProperties: { layers: 'plots', minLevel: 10 } },
    { type: 'wmts', typeProperties: { minLevel: 10, maxLevel: tileZoom }, bbox: [...within(places.tiles)] },
    { type: 'tms', typeProperties: { minLevel: 10, maxLevel: tileZoom }, bbox: [...within(places.tms)] },
    {
      type: 'geojson',
      typeProperties: {
        style: { type: 'VectorStyleItem', fill: { color: 'rgba(200,0,200,1)' } },
        vectorProperties: { altitudeMode: 'clampToGround' },
      },
    },
  ];
  const paths = new Map<NewDatasource['type'], string>([
    ['wms', 'wms'],
    ['wmts', 'tiles/{TileMatrix}/{TileCol}/{TileRow}.png'],
    ['tms', 'tms/'],
    ['geojson', 'place.geojson'],
  ]);
  const layers: object[] = [];
  for (const source of sources) {
    const { _id: datasourceId } = await client.postProjectDatasource({
      params,
      body: {
        ...source,
        name: source.type,
        sourceProperties: { type: 'external', url: `${from}/${paths.get(source.type)!}` },
      },
    });
    const path = { projectId, datasourceId };
    if (source.type === 'wms') await untilFactsAreKnown(client, path); // its extent is in the capabilities
    const { type } = await client.getProjectDatasourceConfig({ params: path });
    layers.push({ type, datasourceId, name: source.type, activeOnStartup: true });
  }
  const { _id: moduleId } = await client.postProjectModule({
    params,
    body: { name: 'City', layers, ...frame } as never,
  });
  const { _id: appId } = await client.postProjectApp({
    params,
    body: { name: 'City', mapVersion: '^6.3.0', moduleIds: [moduleId] },
  });
  await client.putProjectAppPublic({ params: { projectId, appId } });
  return `${url}/app/${appId}/`;
}

const frame = {
  maps: [
    { type: 'OpenlayersMap', name: 'flat' },
    { type: 'CesiumMap', name: 'globe' },
  ],
  viewpoints: [
    {
      type: 'Viewpoint',
      name: 'centre',
      groundPosition: [centre.lon, centre.lat, 0],
      distance: 12_000,
      heading: 0,
      pitch: -90,
      roll: 0,
      animate: false,
    },
  ],
  startingMapName: 'flat',
  startingViewpointName: 'centre',
};

async function untilDrawn(page: Page, map: string): Promise<void> {
  let missing: readonly string[] = [];
  for (const end = Date.now() + drawingTimeoutMs; Date.now() < end; await page.waitForTimeout(1000)) {
    const picture = await page.screenshot({ path: `${shots}external-layers-${map}.png` });
    missing = await missingColours(picture);
    if (missing.length === 0) return;
  }
  throw new Error(`The ${map} map does not draw ${missing.join(', ')}.`);
}

/** The sources of whose colour there is less than the area that each covers. */
async function missingColours(picture: Buffer): Promise<string[]> {
  const { data, info } = await sharp(picture).removeAlpha().raw().toBuffer({ resolveWithObject: true });
  const tolerance = 40;
  const count = (colour: readonly number[]) => {
    let found = 0;
    for (let at = 0; at < data.length; at += info.channels)
      if ([0, 1, 2].every((band) => Math.abs(data[at + band]! - colour[band]!) <= tolerance)) found += 1;
    return found;
  };
  return Object.entries(colours)
    .filter(([, colour]) => count(colour) < minPixels)
    .map(([name]) => name);
}

async function showMap(name: string): Promise<void> {
  const { vcs } = globalThis as unknown as EngineGlobals;
  const { maps, viewpoints } = vcs.getFirstApp();
  await maps.setActiveMap(name);
  const [viewpoint] = viewpoints;
  await maps.activeMap!.gotoViewpoint(viewpoint!);
}
