import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import { isDeepStrictEqual } from 'node:util';
import type { Browser, Page } from 'playwright-core';
import { findChromium, howToGetIt } from './chromium.ts';
import type { RunningService } from './processes.ts';
import { openMap, type EngineGlobals } from './testing-map-page.ts';
import { sharedBrowser, sharedService } from './testing-shared.ts';
import { afterFile } from '../checks/clean-up.ts';

const executable = findChromium();
const skip = executable === undefined && howToGetIt;

let service: RunningService;
let browser: Browser;
let page: Page;
let projectId = '';
const complaints: string[] = [];

before(async () => {
  if (executable === undefined) return;
  service = await sharedService();
  browser = await sharedBrowser(executable);
  page = await browser.newPage({ viewport: { width: 480, height: 360 }, locale: 'en-GB' });
  page.on('pageerror', (error) => complaints.push(error.message));
  const body = { name: 'City', description: '', bbox: [-180, -85, 180, 85] };
  ({ _id: projectId } = await service.client.postProject({ body }));
});
afterFile(() => browser?.close());

const utm = (zone: number) => ({
  epsg: 25800 + zone,
  proj4: `+proj=utm +zone=${zone} +ellps=GRS80 +towgs84=0,0,0,0,0,0,0 +units=m +no_defs`,
});
const fill = (name: string, color: string) => ({ type: 'VectorStyleItem', name, fill: { color } });
const inline = (name: string, fields: object) => ({ type: 'GeoJSONLayer', name, features: [], ...fields });
const extent = { type: 'Extent', coordinates: [300_000, 5_700_000, 500_000, 5_900_000] };
const viewpoint = (name: string, lon: number) => ({
  type: 'Viewpoint',
  name,
  groundPosition: [lon, 50, 0],
  distance: 100_000,
  heading: 0,
  pitch: -90,
  roll: 0,
  animate: false,
});

/** Three modules of which each overrides or needs something of another. */
const contents = {
  base: {
    name: 'Base',
    projection: utm(33),
    maps: [
      { type: 'OpenlayersMap', name: 'first' },
      { type: 'OpenlayersMap', name: 'second' },
    ],
    styles: [fill('red', 'rgba(255,0,0,1)'), fill('shared', 'rgba(1,1,1,1)')],
    layers: [
      inline('trees', { zIndex: 7, style: 'red', properties: { title: 'Trees of the base', legend: [] } }),
      inline('parks', { activeOnStartup: true, extent, properties: { title: 'texts.parks' } }),
    ],
    viewpoints: [viewpoint('start', 10), viewpoint('other', 11)],
    contentTree: [
      { type: 'GroupContentTreeItem', name: 'green', title: 'Green' },
      { type: 'LayerContentTreeItem', name: 'green.trees', layerName: 'trees' },
      { type: 'LayerContentTreeItem', name: 'blue.parks', layerName: 'parks' },
    ],
    uiConfig: [
      { name: 'appTitle', value: 'Base' },
      { name: 'primaryColor', value: '#112233' },
    ],
    i18n: [{ name: 'base', en: { texts: { parks: 'Parks', trees: 'Trees' } } }],
    startingMapName: 'first',
    startingViewpointName: 'start',
  },
  theme: {
    name: 'Theme',
    projection: utm(32),
    styles: [fill('shared', 'rgba(2,2,2,1)')],
    layers: [
      inline('trees', { style: 'red', extent, properties: { title: 'Trees of the theme' } }),
      inline('rivers', { style: 'shared', extent }),
    ],
    contentTree: [
      { type: 'GroupContentTreeItem', name: 'blue', title: 'Blue' },
      { type: 'LayerContentTreeItem', name: 'green.rivers', layerName: 'rivers' },
    ],
    uiConfig: [{ name: 'appTitle', value: 'Theme' }],
    i18n: [{ name: 'theme', en: { texts: { trees: 'Trees, too' } }, de: { texts: { trees: 'Bäume' } } }],
    startingMapName: 'second',
    startingViewpointName: 'other',
  },
  last: {
    name: 'Last',
    layers: [inline('lakes', { extent, style: 'later' })],
    styles: [fill('later', 'rgba(3,3,3,1)')],
    uiConfig: [{ name: 'headerTitle', value: 'Last' }],
  },
} as const;

/** The state of the engine. */
function held(projection: string) {
  const { vcs } = globalThis as unknown as EngineGlobals;
  const app = vcs.getFirstApp();
  const names = new Set(['trees', 'parks', 'rivers', 'lakes']);
  const ofModules = [...app.layers].filter(({ name }) => names.has(name));
  const layers = ofModules.map((layer) => [
    layer.name,
    {
      title: layer.properties['title'],
      zIndex: layer.zIndex,
      style: layer.style?.name,
      extent: layer.extent?.projection.epsg,
    },
  ]);
  const tree = (item: string) =>
    app.contentTree
      .getByKey(item)
      ?._children.value.map(({ name }) => name)
      .toSorted();
  const { appTitle, primaryColor, headerTitle } = app.uiConfig.config;
  return {
    projection,
    // before them is one for what a visitor adds
    modules: app.modules.slice(1).map(({ _id }) => _id),
    layers: Object.fromEntries(layers) as Record<string, object>,
    shared: app.styles.getByKey('shared')?.toJSON(),
    map: app.maps.activeMap!.name,
    tree: { green: tree('green'), blue: tree('blue') },
    uiConfig: { appTitle, primaryColor, headerTitle },
    texts: ['texts.parks', 'texts.trees'].map((key) => app.vueI18n.t(key)),
  };
}

async function heldBy(): Promise<ReturnType<typeof held>> {
  const projection = await page.evaluate(async () => {
    const core = (await import(new URL('assets/core.js', document.baseURI).href)) as {
      getDefaultProjection(): { epsg: string };
    };
    return core.getDefaultProjection().epsg;
  });
  return page.evaluate(held, projection);
}

async function makeModules() {
  const made = Object.entries(contents).map(async ([key, body]) => {
    const { _id } = await service.client.postProjectModule({ params: { projectId }, body: body as never });
    return [key, _id] as const;
  });
  return Object.fromEntries(await Promise.all(made)) as Record<keyof typeof contents, string>;
}

test(
  'the engine holds exactly what the listed order of the modules gives',
  { skip, timeout: 240_000 },
  async () => {
    const ids = await makeModules();
    const order = [ids.base, ids.theme, ids.last];
    const { _id: appId } = await service.client.postProjectApp({
      params: { projectId },
      body: { name: 'Merged', moduleIds: order },
    });
    const params = { projectId, appId };
    await service.client.putProjectAppPublic({ params });
    const address = `${service.url}/app/${appId}/`;
    await openMap(page, address);
    const layer = { title: undefined, zIndex: 0, style: undefined };
    const seen = await heldBy();
    const colour = (value: number) => [value, value, value, 1];
    assert.deepEqual(seen.modules, ['platen-title', 'platen-world', ...order]);
    const { 'platen-world': _world, ...layers } = seen.layers;
    assert.deepEqual(layers, {
      // the later one whole: neither the level nor the legend of the earlier is left
      trees: { title: 'Trees of the theme', zIndex: 0, style: 'red', extent: 'EPSG:25832' },
      parks: { ...seen.layers['parks'], title: 'texts.parks', extent: 'EPSG:25833' },
      rivers: { ...layer, style: 'shared', extent: 'EPSG:25832' },
      // without a projection of its own it has that of the module before
      lakes: { ...layer, style: 'later', extent: 'EPSG:25832' },
    });
    assert.deepEqual((seen.shared as { fill: object }).fill, { color: colour(2) });
    const { projection, map, tree, uiConfig, texts } = seen;
    assert.deepEqual(
      { projection, map, tree, uiConfig, texts },
      {
        projection: 'EPSG:25832',
        map: 'second',
        tree: { green: ['green.rivers', 'green.trees'], blue: ['blue.parks'] },
        uiConfig: { appTitle: 'Theme', primaryColor: '#112233', headerTitle: 'Last' },
        texts: ['Parks', 'Trees, too'],
      },
    );

    await service.client.putProjectApp({ params, body: { moduleIds: [ids.theme, ids.last, ids.base] } });
    await openMap(page, address);
    const other = await heldBy();
    assert.deepEqual(
      { ...other, layers: other.layers['trees'] },
      {
        ...seen,
        modules: ['platen-title', 'platen-world', ids.theme, ids.last, ids.base],
        projection: 'EPSG:25833',
        layers: { title: 'Trees of the base', zIndex: 7, style: 'red', extent: undefined },
        shared: { ...seen.shared, fill: { color: colour(1) } },
        map: 'first',
        uiConfig: { ...uiConfig, appTitle: 'Base' },
        texts: ['Parks', 'Trees'],
      },
    );
    assert.deepEqual(complaints, []);
  },
);

/** The state as the engine's own button for sharing writes it into an address. */
async function stateLink(address: string): Promise<string> {
  return page.evaluate(async (url) => {
    const { vcs } = globalThis as unknown as EngineGlobals;
    const ui = (await import(new URL('assets/ui.js', document.baseURI).href)) as {
      setStateToUrl(state: object, url: URL): void;
    };
    const link = new URL(url);
    ui.setStateToUrl(await vcs.getFirstApp().getState(true), link);
    return link.href;
  }, address);
}

async function stateNow() {
  return page.evaluate(async () => {
    const { vcs } = globalThis as unknown as EngineGlobals;
    const { maps, layers } = vcs.getFirstApp();
    const { groundPosition, distance } = await maps.activeMap!.getViewpoint();
    return {
      map: maps.activeMap!.name,
      trees: layers.getByKey('trees')!.active,
      parks: layers.getByKey('parks')!.active,
      position: groundPosition!.slice(0, 2).map((value) => Math.round(value * 1000) / 1000),
      distance: Math.round(distance / 100),
    };
  });
}

/** The state in the URL is applied after the last module. */
async function untilState(expected: Awaited<ReturnType<typeof stateNow>>): Promise<void> {
  for (let waitedMs = 0; waitedMs < 10_000; waitedMs += 100) {
    if (isDeepStrictEqual(await stateNow(), expected)) return;
    await page.waitForTimeout(100);
  }
  assert.deepEqual(await stateNow(), expected, page.url());
}

test(
  'a link with a state shows it again, also when modules were edited, put in another order, added and taken out',
  { skip, timeout: 240_000 },
  async () => {
    const ids = await makeModules();
    const { _id: appId } = await service.client.postProjectApp({
      params: { projectId },
      body: { name: 'State', moduleIds: [ids.base, ids.last] },
    });
    const params = { projectId, appId };
    await service.client.putProjectAppPublic({ params });
    const address = `${service.url}/app/${appId}/`;
    await openMap(page, address);
    await page.evaluate(
      async (place) => {
        const { vcs } = globalThis as unknown as EngineGlobals;
        const { maps, layers } = vcs.getFirstApp();
        await layers.getByKey('trees')!.activate();
        layers.getByKey('parks')!.deactivate();
        const core = (await import(new URL('assets/core.js', document.baseURI).href)) as {
          Viewpoint: new (options: object) => object;
        };
        await maps.activeMap!.gotoViewpoint(new core.Viewpoint(place));
      },
      viewpoint('elsewhere', 13.37),
    );
    const before = await stateNow();
    assert.deepEqual(
      [before.map, before.trees, before.parks, before.position],
      ['first', true, false, [13.37, 50]],
    );
    const link = await stateLink(address);
    assert.ok(link.includes(ids.base), 'it names the modules by their ids');

    const edited = { layers: [...contents.base.layers.toReversed(), inline('new', {})], name: 'Renamed' };
    const moduleParams = { projectId, moduleId: ids.base };
    await service.client.putProjectModule({ params: moduleParams, body: edited as never });
    await service.client.putProjectApp({
      params,
      body: { moduleIds: [ids.theme, ids.base], slug: 'state' },
    });
    for (const url of [link, link.replace(`/app/${appId}/`, '/app/state/'), link.replace('/?', '?')]) {
      await openMap(page, url);
      await untilState(before);
    }
    assert.deepEqual(complaints, []);
  },
);
