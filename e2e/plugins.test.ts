import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Browser } from 'playwright-core';
import { findChromium, howToGetIt } from './chromium.ts';
import type { RunningService } from './processes.ts';
import { isStarted, startTimeoutMs, untilCentreIsRed, viewport, watch } from './testing-engines.ts';
import { packLamps } from './testing-plugin.ts';
import { sharedBrowser, sharedService } from './testing-shared.ts';
import { afterFile } from '../checks/clean-up.ts';
import { unchanged } from '../checks/costly-tests.ts';

const executable = findChromium();
const skip = executable === undefined && howToGetIt;

let opened: ReturnType<typeof open> | undefined;
afterFile(async () => {
  const { browser } = (await opened) ?? {};
  await browser?.close();
});

/** With the plugin in the registry. */
async function open() {
  const service = await sharedService();
  const browser = await sharedBrowser(executable!, { map: true });
  const form = new FormData();
  form.append('file', await packLamps(), 'city-lamps-1.0.0.tgz');
  await service.client.postMapPlugin({ body: form });
  return { service, browser, place: await uploadEvil(service) };
}

for (const [mapVersion, leftOut] of [
  ['^6.3', false],
  ['^5', unchanged('older engines')],
] as const)
  test(
    `a plugin of the registry runs in ${mapVersion}, and code from anywhere else does not`,
    { skip: skip || leftOut, timeout: 2 * startTimeoutMs },
    async () => seeLamps({ ...(await (opened ??= open())), mapVersion }),
  );

interface Place {
  readonly projectId: string;
  /** Path of a script uploaded as data. */
  readonly evil: string;
}

const params = ({ projectId }: Place) => ({ projectId });
const markOf = (name: string) => `(globalThis.ran ??= []).push('${name}')`;

async function uploadEvil({ client }: RunningService): Promise<Place> {
  const { _id: projectId, defaultDataBucketId: dataBucketId } = await client.postProject({
    body: { name: 'Plugins', description: '', bbox: [-180, -85, 180, 85] },
  });
  const form = new FormData();
  form.append(
    'scripts/evil.js',
    new Blob([`${markOf('data')}; export default () => ({ name: 'evil' });`]),
    'f',
  );
  await client.postProjectDataBucketUpload({ params: { projectId, dataBucketId }, body: form });
  const { _id: datasourceId } = await client.postProjectDatasource({
    params: { projectId },
    body: {
      name: 'Scripts',
      type: 'generic',
      sourceProperties: { type: 'internal', dataBucketId, dataBucketKey: 'scripts/' },
    },
  });
  return { projectId, evil: `/data/${datasourceId}/evil.js` };
}

const where = [
  [5, 40],
  [20, 40],
  [20, 60],
  [5, 60],
  [5, 40],
];

/** Entries that would run code from elsewhere. */
const hostileEntries = ({ evil }: Place) => [
  `data:text/javascript,${encodeURIComponent(markOf('dataUrl'))}`,
  `javascript:${markOf('javascriptUrl')}`,
  'https://plugins.example.org/plugins/evil/index.js',
  `${evil}?plugins/evil/index.js`,
  evil,
  `plugins/../../..${evil}`,
];

async function makeApp({ client }: RunningService, place: Place, mapVersion: string) {
  const plugins = [
    ...hostileEntries(place).map((entry, at) => ({ name: `evil${at}`, entry })),
    { name: '@city/lamps', version: '^1.0', where },
    { name: '@city/absent' },
  ];
  const viewpoint = { groundPosition: [12.5, 50, 0], distance: 3_000_000, heading: 0, pitch: -90, roll: 0 };
  const { _id: moduleId } = await client.postProjectModule({
    params: params(place),
    body: {
      name: 'Lamps',
      maps: [{ type: 'OpenlayersMap', name: 'flat' }],
      // a layer that names the data makes it public with the app
      layers: [
        { type: 'GeoJSONLayer', name: 'evil', url: place.evil, datasourceId: place.evil.split('/')[2] },
      ],
      plugins,
      viewpoints: [{ type: 'Viewpoint', name: 'start', animate: false, ...viewpoint }],
      startingMapName: 'flat',
      startingViewpointName: 'start',
    } as never,
  });
  const app = await client.postProjectApp({
    params: params(place),
    body: { name: `Plugins ${mapVersion}`, mapVersion, moduleIds: [moduleId] },
  });
  await client.putProjectAppPublic({ params: { ...params(place), appId: app._id } });
  return app;
}

interface Look {
  readonly service: RunningService;
  readonly browser: Browser;
  readonly place: Place;
  readonly mapVersion: string;
}

async function seeLamps({ service, browser, place, mapVersion }: Look): Promise<void> {
  const { _id: appId, warnings } = await makeApp(service, place, mapVersion);
  assert.equal(warnings!.filter(({ code }) => code === 'pluginEntry').length, hostileEntries(place).length);
  assert.equal(warnings!.filter(({ code }) => code === 'pluginMissing').length, 1);
  const context = await browser.newContext({ viewport });
  const page = await context.newPage();
  const seen = watch(page, service.url);
  await page.goto(`${service.url}/app/${appId}/`);
  await page.waitForFunction(isStarted, undefined, { timeout: startTimeoutMs, polling: 100 });
  await untilCentreIsRed(page, 'flat');
  await page.waitForFunction(() => document.querySelector<HTMLImageElement>('#lamp')?.naturalWidth === 8);
  assert.deepEqual(seen.complaints, []);
  const ofPlugins = seen.paths.filter((path) => path.includes('/plugins/'));
  assert.deepEqual(ofPlugins.map((path) => path.replace(/^\/engines\/[\d.]+\//, '')).toSorted(), [
    'plugins/@city/lamps@1.0.0/index.js',
    'plugins/@city/lamps@1.0.0/plugin-assets/lamp.svg',
  ]);
  assert.equal((await fetch(service.url + place.evil)).status, 200, 'the script is there, as data');
  // modules added later, such as by a callback that loads one from a URL, are blocked too
  for (const [at, entry] of hostileEntries(place).entries())
    await page.evaluate(addPlugin, { name: `late${at}`, entry });
  await page.evaluate(addPlugin, {
    name: '@city/lamps',
    entry: `${new URL(page.url()).origin}${place.evil}`,
  });
  assert.equal(await page.evaluate(() => (globalThis as { ran?: string[] }).ran), undefined);
  assert.ok(!seen.paths.includes(place.evil));
  assert.deepEqual(
    seen.complaints.filter((complaint: string) => complaint.startsWith('asked')),
    [],
  );
  await context.close();
}

/** Adds a plugin as the engine does for a module from a URL. */
async function addPlugin(plugin: object): Promise<void> {
  const path = new URL('assets/core.js', document.baseURI).href;
  const { VcsModule } = (await import(path)) as { VcsModule: new (config: object) => object };
  const { vcs } = globalThis as unknown as {
    vcs: { getFirstApp(): { addModule(module: object): Promise<void> } };
  };
  await vcs.getFirstApp().addModule(new VcsModule({ plugins: [plugin] }));
}
