// node e2e/map-pictures.ts [name…]: pictures of published maps, five seconds after the start and when loaded, to be
// looked at: e2e/shots/maps/.
import { mkdir, readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import type { MapStyle } from '@platen/contract/map-styles';
import { summariseAttributes } from '@platen/styles/attribute-summaries';
import { labelDefaults } from '@platen/styles/default-label';
import { colourBy } from '@platen/styles/style-attribute';
import { styleDefaults } from '@platen/styles/style-defaults';
import { styleItem } from '@platen/styles/style-item';
import type { Browser, Page } from 'playwright-core';
import sharp from 'sharp';
import { findChromium, howToGetIt, launchChromium } from './chromium.ts';
import { picturedMaps, type PicturedMap } from './map-pictures-list.ts';
import { makeScan, scanModule, type PicturedScan } from './pictured-scan.ts';
import { runService, type RunningService } from './processes.ts';

const shots = fileURLToPath(new URL('shots/maps/', import.meta.url));
const soonMs = 5000;
/** Without a graphics card a globe takes long: one with all countries draws a frame in three seconds. */
const loadedMs = 240_000;

/** As “Publish as a map” does: points of the far side do not shine through. */
const beforeTheGlobe = { altitudeMode: 'absolute', groundLevel: 2000, eyeOffset: [0, 0, -100_000] };

interface Feature {
  readonly properties: Readonly<Record<string, unknown>>;
}

interface Example {
  readonly features: readonly Feature[];
  readonly datasourceId: string;
}

type Features = Exclude<PicturedMap['data'], 'scan'>;

interface Made {
  readonly service: RunningService;
  readonly projectId: string;
  /** Undefined if no map shows it. */
  readonly scan: PicturedScan | undefined;
  readonly examples: Readonly<Record<Features, Example>>;
}

const files = {
  places: 'places.geojsonl',
  rivers: 'rivers.geojson',
  countries: 'countries.geojson',
} as const;

/** Every tenth of the towns is enough for a picture. */
async function featuresOf(data: Features): Promise<Feature[]> {
  const text = await readFile(new URL(`../examples/data/${files[data]}`, import.meta.url), 'utf8');
  if (data !== 'places') return (JSON.parse(text) as { features: Feature[] }).features;
  const all = text.split('\n').filter((line) => line !== '');
  const some = all.filter((line, index) => index % 10 === 0 || line.includes('"capital":true'));
  return some.map((line) => JSON.parse(line) as Feature);
}

async function makeExamples(service: RunningService, maps: readonly PicturedMap[]): Promise<Made> {
  const { _id: projectId, defaultDataBucketId: dataBucketId } = await service.client.postProject({
    body: { name: 'Pictures', description: '', bbox: [-180, -85, 180, 85] },
  });
  const add = async (data: Features): Promise<Example> => {
    const features = await featuresOf(data);
    const dataBucketKey = `${data}.geojson`;
    const form = new FormData();
    form.append('file', new Blob([JSON.stringify({ type: 'FeatureCollection', features })]), dataBucketKey);
    await service.client.postProjectDataBucketUpload({ params: { projectId, dataBucketId }, body: form });
    const { _id: datasourceId } = await service.client.postProjectDatasource({
      params: { projectId },
      body: {
        type: 'geojson',
        name: data,
        sourceProperties: { type: 'internal', dataBucketId, dataBucketKey },
      },
    });
    return { features, datasourceId };
  };
  const examples = {
    places: await add('places'),
    rivers: await add('rivers'),
    countries: await add('countries'),
  };
  const hasScan = maps.some(({ data }) => data === 'scan');
  const scan = hasScan ? await makeScan(service, { projectId, dataBucketId }) : undefined;
  return { service, projectId, scan, examples };
}

/** As “Publish as a map” and the style form make it. */
function styleOf(
  { colourBy: by, label, hatch, isSmallFar, shape, language = 'en' }: PicturedMap,
  { features }: Example,
) {
  const summaries = summariseAttributes(features.map(({ properties }) => properties));
  const attribute = summaries.find(({ name }) => name === by);
  const style: MapStyle = {
    colour: attribute ? colourBy(attribute) : { type: 'single', colour: styleDefaults.firstColour },
    ...(label && { label: { ...labelDefaults, ...label } }),
    ...(hatch && { hatch: { type: hatch } }),
    ...(isSmallFar === true && { zoomSize: { far: 3, near: 8, share: 0.3 } }),
  };
  const words = { locale: language, others: 'Other', noValue: 'No value', attributes: summaries };
  return styleItem(style, shape, words);
}

/** A layer of features, seen from above. */
function featuresModule({ examples }: Made, one: PicturedMap, data: Features) {
  const { shape, map = 'globe', view } = one;
  const style = styleOf(one, examples[data]);
  const { legend } = style['properties'] as { legend?: unknown };
  const { at, distance } = view;
  const layer = {
    type: 'GeoJSONLayer',
    name: 'data',
    datasourceId: examples[data].datasourceId,
    activeOnStartup: true,
    style,
    ...(shape === 'point' && map === 'globe' && { vectorProperties: beforeTheGlobe }),
    properties: { title: data, ...(legend !== undefined && { legend }) },
  };
  return { layer, view: { groundPosition: [...at, 0], distance, pitch: -90 } };
}

async function publish(made: Made, one: PicturedMap): Promise<string> {
  const { service, projectId, scan } = made;
  const { client, url } = service;
  const { name, data, map = 'globe', engine, baseMap, hasNames = false, pointStyle } = one;
  const names = hasNames ? ['world-names'] : [];
  const { layer, view } =
    data === 'scan'
      ? scanModule(scan!, { pointStyle, distance: one.view.distance })
      : featuresModule(made, one, data);
  const { _id: moduleId } = await client.postProjectModule({
    params: { projectId },
    body: {
      name,
      maps: [
        map === 'globe'
          ? { type: 'CesiumMap', name: 'map', globeColor: '#b8d2dc', enableLightning: false }
          : { type: 'OpenlayersMap', name: 'map' },
      ],
      layers: [layer],
      contentTree: [{ type: 'LayerContentTreeItem', name: 'data', layerName: 'data' }],
      viewpoints: [
        {
          type: 'Viewpoint',
          name: 'start',
          animate: false,
          heading: 0,
          roll: 0,
          ...view,
        },
      ],
      startingViewpointName: 'start',
      uiConfig: [
        { name: 'contentTreeActiveOnStartup', value: true },
        { name: 'openLegendOnAdd', value: one.colourBy !== undefined },
      ],
    } as never,
  });
  const { _id: appId } = await client.postProjectApp({
    params: { projectId },
    body: {
      name,
      moduleIds: [moduleId],
      ...(engine !== undefined && { mapVersion: engine }),
      ...((baseMap !== undefined || hasNames) && { baseMaps: [baseMap ?? 'world-light', ...names] }),
    },
  });
  await client.putProjectAppPublic({ params: { projectId, appId } });
  return `${url}/app/${appId}/`;
}

async function picture(browser: Browser, made: Made, one: PicturedMap): Promise<void> {
  const { name, width = 1200, language = 'en', isPrint = false } = one;
  const address = await publish(made, one);
  const viewport = { width, height: width < 600 ? 780 : 750 };
  const context = await browser.newContext({ viewport, locale: language });
  const page = await context.newPage();
  page.on('pageerror', ({ message }) => process.stdout.write(`${name}: ${message}\n`));
  page.on('console', (message) => {
    if (message.type() === 'error') process.stdout.write(`${name}: ${message.text()}\n`);
  });
  if (isPrint) await page.emulateMedia({ media: 'print' });
  const start = performance.now();
  await page.goto(address);
  await page.waitForTimeout(soonMs);
  await take(page, `${shots}${name}-soon.webp`);
  await page.locator('#poster').waitFor({ state: 'detached', timeout: loadedMs });
  const seconds = (performance.now() - start) / 1000;
  const loading = page.waitForFunction(hasLoaded, undefined, { timeout: loadedMs, polling: 1000 });
  const isComplete = await loading.then(
    () => true,
    () => false,
  );
  await page.waitForTimeout(soonMs);
  await take(page, `${shots}${name}.webp`);
  process.stdout.write(
    `${name}: the map was seen within ${seconds.toFixed(1)} s${isComplete ? '' : ', and has not loaded yet'}\n`,
  );
  await context.close();
}

/** Runs in the page. */
function hasLoaded(): boolean {
  const { vcs } = globalThis as unknown as { vcs: { getFirstApp(): LoadingApp } };
  const { activeMap } = vcs.getFirstApp().maps;
  return activeMap?.getScene?.().globe.tilesLoaded ?? true;
}

interface LoadingApp {
  readonly maps: {
    readonly activeMap?: { getScene?(): { readonly globe: { readonly tilesLoaded: boolean } } } | null;
  };
}

async function take(page: Page, path: string): Promise<void> {
  const png = await page.screenshot({ timeout: loadedMs });
  await sharp(png).webp({ quality: 72, effort: 5 }).toFile(path);
}

const executable = findChromium();
if (executable === undefined) throw new Error(howToGetIt);
await mkdir(shots, { recursive: true });
const names = process.argv.slice(2);
const service = await runService();
const browser = await launchChromium(executable);
try {
  const maps = picturedMaps.filter(({ name }) => names.length === 0 || names.includes(name));
  const made = await makeExamples(service, maps);
  for (const one of maps) await picture(browser, made, one);
} finally {
  await browser.close();
  await service.stop();
}
