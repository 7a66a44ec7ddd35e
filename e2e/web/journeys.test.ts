import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import type { Browser, Page } from 'playwright-core';
import { findChromium, howToGetIt } from '../chromium.ts';
import type { RunningService } from '../processes.ts';
import { keyboardDriver, mouseDriver, type UserDriver } from './testing-user-driver.ts';
import { holdJobs } from './testing-held-jobs.ts';
import { openInterface, type Interface } from './testing-interface.ts';
import { lamps, makeProject } from './testing-project.ts';
import { wordsOf, type Language } from './testing-words.ts';
import { sharedBrowser, sharedService } from '../testing-shared.ts';
import { afterFile } from '../../checks/clean-up.ts';

const executable = findChromium();
const skip = executable === undefined && howToGetIt;

let service: RunningService;
let browser: Browser;
const projects = new Map<string, Awaited<ReturnType<typeof makeProject>>>();
/** One for each way: a window of its own for each journey would load and compile everything again. */
const windows = new Map<string, Interface>();

before(async () => {
  if (skip) return;
  service = await sharedService();
  browser = await sharedBrowser(executable!, { map: true });
  for (const { by, language } of ways) {
    projects.set(by, await makeProject(service, `Walked by ${by}`));
    windows.set(by, await openInterface(browser, service, { language, width: 1280, height: 800 }));
  }
});
afterFile(() => browser?.close());

interface Walk {
  readonly page: Page;
  readonly user: UserDriver;
  readonly words: ReturnType<typeof wordsOf>;
  readonly made: Awaited<ReturnType<typeof makeProject>>;
  readonly shown: Interface;
}

interface Journey {
  readonly name: string;
  /** Maximum number of clicks and presses of Enter or Space. */
  readonly maxActs: number;
  walk(by: Walk): Promise<void>;
}

const ways: readonly { by: string; language: Language; driverOf(page: Page, upload: string): UserDriver }[] =
  [
    { by: 'mouse', language: 'en', driverOf: mouseDriver },
    { by: 'keyboard', language: 'de', driverOf: keyboardDriver },
  ];

const journeys: readonly Journey[] = [
  {
    name: 'a GeoJSON file becomes a public 3D map in colours of a category, with legend, labels and cards',
    maxActs: 3,
    walk: publishMap,
  },
  { name: 'features are tiled, and watched meanwhile', maxActs: 3, walk: tileAndWatch },
  { name: 'a colleague is invited', maxActs: 3, walk: inviteColleague },
  { name: 'data is refreshed every night', maxActs: 4, walk: refreshNightly },
  { name: 'a module is added to an app', maxActs: 4, walk: addModule },
];

for (const { by, language, driverOf } of ways) {
  for (const { name, maxActs, walk } of journeys) {
    test(
      `${name} by ${by} (${language}) with ${maxActs} acts at most`,
      { skip, timeout: 120_000 },
      async () => {
        const made = projects.get(by)!;
        const shown = windows.get(by)!;
        const { page } = shown;
        page.setDefaultTimeout(60_000);
        shown.expect(/GPU stall due to ReadPixels/); // there is no GPU here
        await page.goto(`${service.url}/p/${made.projectId}/overview`);
        await page.locator('h1').waitFor();
        const words = wordsOf(language);
        await walk({ page, user: driverOf(page, words('uploads.upload')), words, made, shown });
        shown.assertQuiet();
      },
    );
  }
}

/** Goes to a list of the project, where counting begins. */
async function start({ page, user, words, shown }: Walk, place: string, letter: string): Promise<void> {
  await user.goTo(letter, page.getByRole('link', { name: words(`shell.places.${place}`) }).first());
  await page.getByRole('heading', { level: 1, name: words(`shell.places.${place}`) }).waitFor();
  shown.countedActs();
}

function assertAtMost({ shown }: Walk, maxActs: number): void {
  const acts = shown.countedActs();
  assert.ok(acts > 0 && acts <= maxActs, `it took ${acts} acts`);
}

async function publishMap(walk: Walk): Promise<void> {
  const { page, user, words, shown } = walk;
  await start(walk, 'files', 'f');
  await user.upload({ name: 'laternen-auf-der-karte.geojson', content: JSON.stringify(lamps) });
  await user.press(page.getByRole('button', { name: words('preview.next.publish') }));
  const dialog = page.getByRole('dialog', { name: words('quick-publish.title') });
  await user.press(dialog.getByRole('button', { name: words('quick-publish.action') }));
  const link = dialog.getByRole('link', { name: words('quick-publish.openMap') });
  await link.waitFor();
  const opened = shown.context.waitForEvent('page');
  await user.press(link);
  const map = await opened;
  assertAtMost(walk, 3);
  const { pathname } = new URL(map.url() === 'about:blank' ? (await link.getAttribute('href'))! : map.url());
  await map.close();
  await assertShownToAnybody(pathname);
}

interface PublishedLayer {
  readonly type: string;
  readonly url: string;
  readonly properties: { readonly featureInfo?: string };
  readonly style: {
    readonly declarativeStyle: Readonly<Record<string, unknown>>;
    readonly properties: { readonly legend: { readonly rows: { readonly title: string }[] }[] };
  };
}

/** Runs in a context without a session. */
async function assertShownToAnybody(path: string): Promise<void> {
  assert.match(path, /^\/app\/[\w-]+\/$/);
  const answer = await fetch(service.url + path);
  assert.equal(answer.status, 200);
  assert.match(answer.headers.get('content-type') ?? '', /^text\/html/);
  const config = (await (await fetch(`${service.url}${path}app.config.json`)).json()) as {
    modules: readonly (string | object)[];
  };
  const modules = (await Promise.all(
    config.modules.map(async (one) =>
      typeof one === 'string' ? (await fetch(new URL(one, service.url + path))).json() : one,
    ),
  )) as { layers?: PublishedLayer[]; featureInfo?: object[]; maps?: { type: string }[] }[];
  assert.ok(modules.some(({ maps }) => maps?.some(({ type }) => type === 'CesiumMap')));
  const layer = modules.flatMap(({ layers = [] }) => layers).find(({ type }) => type === 'GeoJSONLayer');
  assert.ok(layer);
  const { style, properties } = layer;
  const rows = style.properties.legend.flatMap((legend) => legend.rows.map(({ title }) => title));
  for (const street of ['Am Wall', 'Marktstraße']) assert.ok(rows.includes(street), rows.join(', '));
  assert.match(JSON.stringify(style.declarativeStyle['labelText']), /name/);
  const cards = modules.flatMap(({ featureInfo = [] }) => featureInfo) as { name: string; type: string }[];
  assert.equal(cards.find(({ name }) => name === properties.featureInfo)?.type, 'BalloonFeatureInfoView');
  const data = await fetch(new URL(layer.url, service.url + path));
  assert.equal(data.status, 200);
  assert.equal(((await data.json()) as typeof lamps).features.length, lamps.features.length);
}

const manyLamps = JSON.stringify({
  type: 'FeatureCollection',
  features: Array.from({ length: 8000 }, (_, i) => ({
    type: 'Feature',
    properties: { number: i },
    geometry: { type: 'Point', coordinates: [13.3 + (i % 100) / 500, 52.4 + Math.floor(i / 100) / 500] },
  })),
});

async function tileAndWatch(walk: Walk): Promise<void> {
  const { page, user, words, made } = walk;
  const { client, dataFolder } = service;
  await start(walk, 'files', 'f');
  await user.upload({ name: 'laternen-in-kacheln.geojson', content: manyLamps });
  await user.press(page.getByRole('link', { name: words('preview.jobs.TilesVector.title') }));
  const run = page.getByRole('button', { name: words('tasks.createAndRun') });
  await run.waitFor();
  const query = { state: ['queued' as const] };
  const isQueued = async () => (await client.getProjectJobs({ params: made, query })).totalCount > 0;
  const state = page.getByRole('region', { name: words('jobs.state') });
  const letGo = holdJobs({ dataFolder, isQueued });
  try {
    await user.press(run);
    await state.getByText(words('job-names.states.running'), { exact: true }).waitFor();
  } finally {
    await letGo();
  }
  await state.getByText(words('job-names.states.succeeded')).waitFor();
  const results = page.getByRole('region', { name: words('jobs.outputs') });
  await user.press(results.getByRole('link', { name: /laternen.in.kacheln/i }).first());
  await page.waitForURL(/\/datasources\/\w+/);
  await page.getByRole('heading', { level: 1, name: /laternen.in.kacheln/i }).waitFor();
  assertAtMost(walk, 3);
}

async function inviteColleague(walk: Walk): Promise<void> {
  const { page, user, words, made } = walk;
  const username = `Änne Ölmüller ${Math.random()}`;
  const { client } = service;
  const { _id: userId } = await client.postUser({
    body: { username, email: '', password: 'tomatoes grow slowly' },
  });
  await start(walk, 'members', 'u');
  await user.press(page.getByRole('button', { name: words('members.add') }));
  const dialog = page.getByRole('dialog', { name: words('members.add') });
  await user.press(dialog.getByRole('button', { name: username }));
  await user.press(dialog.getByRole('button', { name: words('ui.add'), exact: true }));
  await page.getByRole('cell', { name: username, exact: true }).waitFor();
  assertAtMost(walk, 3);
  const { items } = await client.getProjectUsers({ params: { projectId: made.projectId } });
  assert.ok(items.some(({ _id }) => _id === userId));
}

async function refreshNightly(walk: Walk): Promise<void> {
  const { page, user, words, made } = walk;
  await start(walk, 'tasks', 't');
  const row = page.getByRole('row', { name: /Tile lamps/ });
  await user.press(row.getByRole('button', { name: words('ui.more') }));
  await user.press(page.getByRole('menuitem', { name: words('tasks.repeatMenu') }));
  const dialog = page.getByRole('dialog', { name: words('tasks.repeatTitle') });
  // the output of the task is listed first; this schedule updates it every night
  await dialog.getByText('Lamps in tiles').waitFor();
  await user.press(dialog.getByRole('button', { name: words('tasks.repeatSave'), exact: true }));
  await dialog.waitFor({ state: 'detached' });
  assertAtMost(walk, 4);
  const { projectId, taskId } = made;
  const task = await service.client.getProjectTask({ params: { projectId, taskId } });
  assert.equal(task.schedule.type, 'cron');
  assert.equal(task.schedule.cron, '30 3 * * *');
  assert.equal(new Date(task.nextRuns[0]!) > new Date(), true);
  const { datasource } = task.parameters as { datasource: { command: string } };
  assert.equal(datasource.command, 'update');
}

async function addModule(walk: Walk): Promise<void> {
  const { page, user, words, made } = walk;
  const { projectId, appId, moduleId } = made;
  const body = { name: 'Trees', maps: [{ type: 'OpenlayersMap', name: 'plan' }] };
  const { _id: added } = await service.client.postProjectModule({ params: { projectId }, body });
  await start(walk, 'apps', 'a');
  await user.press(page.getByRole('link', { name: 'Light in the city' }));
  await user.press(page.getByRole('button', { name: words('apps.addModule') }));
  const dialog = page.getByRole('dialog', { name: words('apps.addModules') });
  await user.press(dialog.getByRole('checkbox', { name: /Trees/ }));
  await user.press(dialog.getByRole('button', { name: words('apps.addCount', 1) }));
  await page
    .getByRole('list', { name: words('apps.modules') })
    .getByRole('link', { name: 'Trees', exact: true })
    .waitFor();
  assertAtMost(walk, 4);
  const { moduleIds } = await service.client.getProjectApp({ params: { projectId, appId } });
  assert.deepEqual(moduleIds, [moduleId, added]);
}

test('the action chosen in the search is run', { skip, timeout: 60_000 }, async () => {
  const { projectId } = projects.get('mouse')!;
  const shown = windows.get('mouse')!;
  const { page } = shown;
  const words = wordsOf('en');
  await page.goto(`${service.url}/p/${projectId}/overview`);
  await page.locator('h1').waitFor();
  const openSearch = async () => {
    await page.keyboard.press('Control+k');
    await page.getByPlaceholder(words('search.what')).and(page.locator(':focus')).waitFor();
  };
  const type = async (text: string, found: string | RegExp) => {
    await page.keyboard.type(text);
    await page.getByRole('option', { name: found }).and(page.locator('[data-highlighted]')).waitFor();
  };
  await openSearch();
  const invite = words('search.invite');
  // the user found by the first letter is highlighted with the second one, and gone with the next ones
  await page.keyboard.type(invite[0]!);
  await page.getByRole('option', { name: /^admin/ }).waitFor();
  await type(invite[1]!, /^admin/);
  await type(invite.slice(2), invite);
  await page.keyboard.press('Enter');
  await page.getByRole('dialog', { name: words('members.add') }).waitFor();
  // starting there, as a browser lets a page open a file chooser only within five seconds of a key press
  await page.goto(`${service.url}/p/${projectId}/files`);
  await page
    .getByRole('button', { name: words('uploads.upload'), exact: true })
    .first()
    .waitFor();
  const chooser = page.waitForEvent('filechooser');
  await openSearch();
  await type(words('search.upload'), words('search.upload'));
  await page.keyboard.press('Enter');
  await (await chooser).setFiles([]);
  assert.equal(new URL(page.url()).search.includes('do='), false);
  shown.assertQuiet();
});
