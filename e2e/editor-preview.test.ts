import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Browser, Page } from 'playwright-core';
import { findChromium, howToGetIt } from './chromium.ts';
import type { RunningService } from './processes.ts';
import { startTimeoutMs, untilCentreIsRed, viewport, watch } from './testing-engines.ts';
import { sharedBrowser, sharedService } from './testing-shared.ts';
import { afterFile } from '../checks/clean-up.ts';
import { unchanged } from '../checks/costly-tests.ts';

const executable = findChromium();
const skip = executable === undefined && howToGetIt;

let opened: Promise<{ service: RunningService; browser: Browser }> | undefined;
afterFile(async () => {
  const { browser } = (await opened) ?? {};
  await browser?.close();
});

async function open() {
  return { service: await sharedService(), browser: await sharedBrowser(executable!) };
}

interface Message {
  readonly type: string;
  readonly [key: string]: unknown;
}

/** The page around the map, which stands in for the web interface and records all messages. */
const parentPage = (src: string) => `<!doctype html><title>Editor</title><style>*{margin:0}</style>
<iframe id="map" src="${src}" width="320" height="270" style="border:0"></iframe>
<script>globalThis.heard = []; addEventListener('message', ({ data }) => heard.push(data));</script>`;

async function openEditor(service: RunningService, browser: Browser, query: string) {
  const context = await browser.newContext({ viewport });
  await context.addCookies([{ name: 'platen-session', value: service.token, url: service.url }]);
  const page = await context.newPage();
  const seen = watch(page, service.url);
  await page.route('**/editor.html', (route) =>
    route.fulfill({ contentType: 'text/html', body: parentPage(`/app-preview/?${query}`) }),
  );
  await page.goto(`${service.url}/editor.html`);
  await hear(page, 'ready');
  return { context, page, seen };
}

/** The next message of this type that has come since the last one asked for. */
async function hear(page: Page, type: string): Promise<Message> {
  const found = await page.waitForFunction(
    (wanted) => {
      const { heard } = globalThis as unknown as { heard: Message[] };
      const at = heard.findIndex((message) => message.type === wanted);
      return at === -1 ? undefined : heard.splice(at, 1)[0];
    },
    type,
    { timeout: startTimeoutMs, polling: 20 },
  );
  return (await found.jsonValue()) as Message;
}

const post = (page: Page, message: Message) =>
  page.evaluate((sent) => {
    document.querySelector<HTMLIFrameElement>('#map')!.contentWindow!.postMessage(sent, location.origin);
  }, message);

const square = [
  [5, 40],
  [20, 40],
  [20, 60],
  [5, 60],
  [5, 40],
];
const layer = (color: string) => ({
  type: 'GeoJSONLayer',
  name: 'square',
  activeOnStartup: true,
  features: [
    { type: 'Feature', properties: { kind: 'a' }, geometry: { type: 'Polygon', coordinates: [square] } },
  ],
  style: { type: 'VectorStyleItem', fill: { color } },
});
const viewpoint = {
  type: 'Viewpoint',
  name: 'start',
  groundPosition: [12.5, 50, 0],
  distance: 3_000_000,
  heading: 0,
  pitch: -90,
  roll: 0,
  animate: false,
};
const edited = (color: string) => ({
  name: 'Mine',
  layers: [layer(color), { ...layer('rgba(0,0,0,1)'), name: 'other', activeOnStartup: false }],
  maps: [{ type: 'OpenlayersMap', name: 'flat' }],
  contentTree: [{ type: 'LayerContentTreeItem', name: 'square', layerName: 'square' }],
  viewpoints: [viewpoint],
  startingMapName: 'flat',
  startingViewpointName: 'start',
});

for (const [range, expected, leftOut] of [
  ['6.3.x', /^6\.3\./, false],
  ['~5.0', /^5\.0\./, unchanged('older engines')],
] as const) {
  test(
    `an editor shows and changes a module in place, keeps the view and reads it back, with VC Map ${range}`,
    { skip: skip || leftOut, timeout: 2 * startTimeoutMs },
    async (t) => {
      const { service, browser } = await (opened ??= open());
      const { _id: projectId } = await service.client.postProject({
        body: { name: `Editor ${range}`, description: '', bbox: [-180, -85, 180, 85] },
      });
      const modulesOf = async (module: object) => {
        const body = { modules: [{ module: module as Record<string, unknown> }], mapVersion: range };
        const { engineVersion, errors, modules } = await service.client.postProjectModulePreview({
          params: { projectId },
          body,
        });
        assert.match(engineVersion!, expected);
        assert.deepEqual(errors, []);
        return modules;
      };
      const { context, page, seen } = await openEditor(service, browser, `engine=${range}`);
      try {
        await post(page, { type: 'show', modules: await modulesOf(edited('rgba(255,0,0,1)')), id: 1 });
        assert.equal((await hear(page, 'shown'))['id'], 1);
        await post(page, { type: 'goto', viewpoint: { ...viewpoint, groundPosition: [10, 48, 0] } });
        await page.evaluate('void (frames[0].theMap = frames[0].vcs.getFirstApp().maps.activeMap)');
        // as a user would in the content tree
        await page.evaluate(`(async () => {
          const { layers } = frames[0].vcs.getFirstApp();
          layers.getByKey('square').deactivate();
          await layers.getByKey('other').activate();
        })()`);
        const changes: number[] = [];
        for (const color of ['rgba(0,255,0,1)', 'rgba(0,0,255,1)']) {
          await post(page, { type: 'show', modules: await modulesOf(edited(color)) });
          changes.push(Number((await hear(page, 'shown'))['ms']));
        }
        t.diagnostic(`changed in ${changes.join(' and ')} ms`);
        const now = await page.evaluate(`(() => {
          const { maps, layers } = frames[0].vcs.getFirstApp();
          const [one, other] = ['square', 'other'].map((name) => layers.getByKey(name));
          const { color } = one.toJSON().style.fill;
          return [maps.activeMap === frames[0].theMap, one.active, other.active, String(color)];
        })()`);
        assert.deepEqual(now, [true, false, true, '0,0,255,1']);
        await post(page, { type: 'viewpoint?' });
        const { viewpoint: read } = await hear(page, 'viewpoint');
        const { groundPosition, type } = read as { groundPosition: number[]; type: string };
        assert.equal(type, 'Viewpoint');
        assert(Math.abs(groundPosition[0]! - 10) < 1e-6 && Math.abs(groundPosition[1]! - 48) < 1e-6);
        assert.deepEqual(seen.complaints, []);
      } finally {
        await context.close();
      }
    },
  );
}

test(
  'the time slider and the search follow what is edited, and the chosen time stays',
  { skip, timeout: 2 * startTimeoutMs },
  async () => {
    const { service, browser } = await (opened ??= open());
    const { context, page, seen } = await openEditor(service, browser, 'engine=6.3.x');
    try {
      const frame = page.frames()[1]!;
      const show = async (properties: object, color = 'rgba(255,0,0,1)') => {
        const [square, ...others] = edited(color).layers;
        const layers = [{ ...square, properties }, ...others];
        await post(page, { type: 'show', modules: [{ _id: 'mine', ...edited(color), layers }] });
        await hear(page, 'shown');
      };
      const searched = () =>
        frame.evaluate(`(async () => {
          const { search } = vcs.getFirstApp();
          return search.size === 0 ? undefined : (await search.search('a')).map(({ title }) => title);
        })()`);
      await show({});
      assert.equal(await searched(), undefined);
      assert.equal(await frame.locator('#time').count(), 0);
      const time = { attribute: 'built', from: '1990', to: '1999', step: 'year' };
      await show({ time, searchBy: 'kind' });
      assert.deepEqual(await searched(), ['a']);
      const slider = frame.locator('#time input[type=range]');
      await slider.fill('3');
      assert.equal(await frame.locator('#time output').innerText(), '1993');
      await show({ time: { ...time, from: '1985' }, searchBy: 'kind' }, 'rgba(0,0,255,1)');
      assert.equal(await frame.locator('#time').count(), 1);
      assert.equal(await frame.locator('#time output').innerText(), '1993');
      assert.deepEqual(await searched(), ['a']);
      await show({});
      assert.equal(await frame.locator('#time').count(), 0);
      assert.equal(await searched(), undefined);
      assert.deepEqual(seen.complaints, []);
    } finally {
      await context.close();
    }
  },
);

test(
  'clicks and layers are reported, a failing module leaves the others, and only messages of the parent page are accepted',
  { skip, timeout: 2 * startTimeoutMs },
  async () => {
    const { service, browser } = await (opened ??= open());
    const { context, page, seen } = await openEditor(service, browser, 'engine=6.3.x');
    try {
      const base = { _id: 'mine', ...edited('rgba(255,0,0,1)') };
      await post(page, { type: 'show', modules: [{ _id: 'wrong', projection: { epsg: 99999 } }, base] });
      assert.match(String((await hear(page, 'failed'))['message']), /./);
      await hear(page, 'shown');
      // sent on each change: at first there is no map yet
      let state = await hear(page, 'layers');
      while (state['map'] === null) state = await hear(page, 'layers');
      assert.equal(state['map'], 'flat');
      const { layers } = state;
      const names = (layers as { name: string }[]).map(({ name }) => name);
      assert.deepEqual(names, ['square', 'other']);
      await untilCentreIsRed(page, 'flat');
      await page.mouse.click(160, 140);
      const { layer: picked, properties } = await hear(page, 'picked');
      assert.deepEqual([picked, properties], ['square', { kind: 'a' }]);
      // sent from the frame itself, and from a frame of another origin beside it
      const empty = { type: 'show', modules: [] };
      const [, frame] = page.frames();
      await frame!.evaluate((message) => window.postMessage(message, '*'), empty);
      await page.evaluate((message) => {
        const other = document.createElement('iframe');
        other.sandbox.add('allow-scripts');
        other.srcdoc = `<script>parent.frames[0].postMessage(${JSON.stringify(message)}, '*')</script>`;
        document.body.append(other);
        return new Promise((resolve) => other.addEventListener('load', resolve));
      }, empty);
      await page.waitForTimeout(300);
      assert.equal(await page.evaluate("frames[0].vcs.getFirstApp().layers.hasKey('square')"), true);
      assert.deepEqual(seen.complaints, []);
    } finally {
      await context.close();
    }
  },
);
