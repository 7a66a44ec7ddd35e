// node e2e/imagery-pictures.ts <autzen.jpg> <N49E011.hgt>: makes the pictures of docs/pictures anew. The image (PDAL's
// autzen.jpg with its .aux.xml beside it) is of Oregon; a copy is placed on the hills of the height model (SRTM), with towers.
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import type { FreeForm } from '@platen/contract/schema';
import type { Page } from 'playwright-core';
import sharp from 'sharp';
import { findChromium, howToGetIt, limitFrames } from './chromium.ts';
import { isStarted, startTimeoutMs } from './testing-engines.ts';
import { isComplete } from './testing-globe.ts';
import { openDemPage } from './testing-dem-page.ts';
import { newProject, runTask, upload } from './testing-jobs.ts';
import { sharedBrowser, sharedService } from './testing-shared.ts';
import { cleanUpAfterAllFiles } from '../checks/clean-up.ts';

const folder = fileURLToPath(new URL('../docs/pictures/', import.meta.url));
const size = { width: 480, height: 330 };
/** Of the bar that the map viewer has at the bottom of narrow pages. */
const barHeight = 50;
/** Without a graphics card. */
const loadMs = 120_000;
const settleMs = 12_000;
/** Globes report COG as loaded before their finest tiles are: until the picture stays as it is. */
const maxRounds = 8;

const [imagePath, heightsPath] = process.argv.slice(2);
if (imagePath === undefined || heightsPath === undefined)
  throw new Error('Name the image and the height model: node e2e/imagery-pictures.ts autzen.jpg N49E011.hgt');
const executable = findChromium();
if (executable === undefined) throw new Error(howToGetIt);

/** Where the copy of the image lies: its pixels are 0.3 m. */
const place = { west: 11.5, north: 49.63, columns: 3248, rows: 4385, lon: 4.2e-6, lat: 2.7e-6 };
const middle = {
  lon: place.west + (place.columns / 2) * place.lon,
  lat: place.north - (place.rows / 2) * place.lat,
};
const towerMetres = 70;

const heights = await readFile(heightsPath);
const bucket = await newProject('Pictures');
const { projectId, dataBucketId } = bucket;
await upload(bucket, {
  'autzen.jpg': await readFile(imagePath),
  'autzen.jpg.aux.xml': await readFile(`${imagePath}.aux.xml`),
  'hills.jpg': await readFile(imagePath),
  'hills.jgw': [place.lon, 0, 0, -place.lat, place.west, place.north].join('\n'),
  'N49E011.hgt': heights,
  'towers.geojson': towers(),
});
const { client, url, token } = await sharedService();
const browser = await sharedBrowser(executable);
await mkdir(folder, { recursive: true });

const input = (dataBucketKey: string, more: FreeForm = {}) => ({
  type: 'internal',
  dataBucketId,
  dataBucketKey,
  ...more,
});
const image = [input('autzen.jpg'), input('autzen.jpg.aux.xml')];
const layerOf = async (jobType: string, options: FreeForm): Promise<FreeForm> => {
  const { datasourceId, datasource } = await runTask(projectId, jobType, options);
  if (datasource.type === 'generic') return { datasourceId };
  const layer = await client.getProjectDatasourceConfig({ params: { projectId, datasourceId } });
  return { ...layer, name: datasourceId, activeOnStartup: true };
};

const tiles = await layerOf('platenTilesImagery', { input: image });
const cog = await layerOf('platenConvertRaster', { input: image });
const from = { groundPosition: [-123.0684, 44.0563, 0], distance: 1900, pitch: -90 };
await save('imagery', [
  ...(await look([tiles], from, ['globe', 'plane'])),
  ...(await look([cog], from, ['globe', 'plane'])),
]);

const plainTerrain = await layerOf('platenTilesTerrain', { input: input('N49E011.hgt') });
const terrain = { ...plainTerrain, properties: { ...(plainTerrain['properties'] as object), relief: true } };
const drape = await layerOf('platenTilesImagery', {
  input: [input('hills.jpg', { crs: 'EPSG:4326' }), input('hills.jgw')],
});
const standing = async (vertical: string) =>
  layerOf('platenTilesObject', { input: input('towers.geojson'), heights: { mode: 'ellipsoid', vertical } });
const [right, wrong] = [await standing('EPSG:5773'), await standing('ellipsoid')];
const ground = heightAt(middle.lon, middle.lat) + 46;
const near = { groundPosition: [middle.lon, middle.lat, ground], distance: 1500, pitch: -28 };
const far = { groundPosition: [11.5, 49.5, 400], distance: 30_000, pitch: -35 };
const standingRight = await look([plainTerrain, drape, right], near, ['globe']);
await save('terrain', [...(await look([terrain], far, ['globe'])), ...standingRight]);
await save('heights', [...(await look([plainTerrain, drape, wrong], near, ['globe'])), ...standingRight]);

const dem = await layerOf('platenTilesTerrain', {
  input: input('N49E011.hgt'),
  output: { kind: 'rasterDem' },
});
await save('raster-dem', [await lookByMapLibre(String(dem['datasourceId']))]);
await cleanUpAfterAllFiles();

type Map = 'globe' | 'plane';

/** Pictures of a public app with these layers, one for each map. */
async function look(layers: readonly FreeForm[], view: FreeForm, maps: readonly Map[]): Promise<Buffer[]> {
  const params = { projectId };
  const viewpoint = { type: 'Viewpoint', name: 'start', heading: 0, roll: 0, animate: false, ...view };
  const { _id: moduleId } = await client.postProjectModule({
    params,
    body: {
      name: 'Picture',
      maps: [
        { type: 'CesiumMap', name: 'globe', globeColor: '#b8d2dc', enableLightning: false },
        { type: 'OpenlayersMap', name: 'plane' },
      ],
      layers,
      viewpoints: [viewpoint],
      startingMapName: 'globe',
      startingViewpointName: 'start',
    } as never,
  });
  const body = { name: 'Picture', mapVersion: '^6', moduleIds: [moduleId] };
  const { _id: appId } = await client.postProjectApp({ params, body });
  await client.putProjectAppPublic({ params: { projectId, appId } });
  const { width, height } = size;
  const context = await browser.newContext({
    viewport: { width, height: height + barHeight },
    locale: 'en-GB',
  });
  await limitFrames(context);
  const page = await context.newPage();
  await page.goto(`${url}/app/${appId}/`);
  await page.waitForFunction(isStarted, undefined, { timeout: startTimeoutMs, polling: 250 });
  const pictures: Buffer[] = [];
  for (const map of maps) pictures.push(await shoot(page, map));
  await context.close();
  return pictures;
}

async function shoot(page: Page, map: Map): Promise<Buffer> {
  await page.evaluate(async (name) => {
    interface Maps {
      setActiveMap(name: string): Promise<unknown>;
    }
    const { vcs } = globalThis as unknown as { vcs: { getFirstApp(): { readonly maps: Maps } } };
    document.querySelector('#poster')?.remove();
    await vcs.getFirstApp().maps.setActiveMap(name);
  }, map);
  const take = () => page.screenshot({ clip: { x: 0, y: 0, ...size } });
  await page.waitForTimeout(settleMs);
  let picture = await take();
  for (let round = 0; map === 'globe' && round < maxRounds; round++) {
    await page.waitForFunction(isComplete, [], { timeout: loadMs, polling: 500 });
    await page.waitForTimeout(settleMs);
    const former = picture;
    picture = await take();
    if (round > 0 && picture.equals(former)) break;
  }
  return picture;
}

async function lookByMapLibre(datasourceId: string): Promise<Buffer> {
  const center = [11.5, 49.55] as const;
  const opened = await openDemPage(browser, {
    service: { url, token },
    datasourceId,
    size,
    center,
    zoom: 10.3,
  });
  await opened.page.waitForTimeout(settleMs);
  const picture = await opened.page.screenshot();
  await opened.close();
  return picture;
}

/** Two beside each other, in rows, as a WebP that is small. */
async function save(name: string, pictures: readonly Buffer[]): Promise<void> {
  const gap = 4;
  const columns = Math.min(2, pictures.length);
  const rows = Math.ceil(pictures.length / 2);
  const sheet = sharp({
    create: {
      width: columns * (size.width + gap) - gap,
      height: rows * (size.height + gap) - gap,
      channels: 3,
      background: '#ffffff',
    },
  }).composite(
    pictures.map((picture, i) => ({
      input: picture,
      left: (i % 2) * (size.width + gap),
      top: Math.floor(i / 2) * (size.height + gap),
    })),
  );
  const png = await sheet.png().toBuffer();
  let made = await sharp(png).webp({ quality: 80, effort: 6 }).toBuffer();
  for (let quality = 70; made.length > 60_000 && quality > 20; quality -= 10)
    made = await sharp(png).webp({ quality, effort: 6 }).toBuffer();
  await writeFile(`${folder}${name}.webp`, made);
  process.stdout.write(`${name}: ${made.length} bytes\n`);
}

/** Metres above the sea of the nearest post: 1201 rows of 1201 posts from the north-west, 16 bits. */
function heightAt(lon: number, lat: number): number {
  const column = Math.round((lon - 11) * 1200);
  const row = Math.round((50 - lat) * 1200);
  return heights.readInt16BE((row * 1201 + column) * 2);
}

/** Squares of 25 m on the ground, above the sea. */
function towers(): string {
  const features = Array.from({ length: 12 }, (_, i) => {
    const lon = middle.lon + ((i % 4) - 1.5) * 0.0025;
    const lat = middle.lat + (Math.floor(i / 4) - 1) * 0.0025;
    const z = heightAt(lon, lat);
    const corners = [
      [0, 0],
      [1, 0],
      [1, 1],
      [0, 1],
      [0, 0],
    ].map(([x, y]) => [lon + x! * 0.00035, lat + y! * 0.00022, z]);
    const properties = { height: towerMetres, 'building:colour': '#c8553d', 'roof:colour': '#f2e9dc' };
    return { type: 'Feature', properties, geometry: { type: 'Polygon', coordinates: [corners] } };
  });
  return JSON.stringify({ type: 'FeatureCollection', features });
}
