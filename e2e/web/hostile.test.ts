import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import type { Page } from 'playwright-core';
import { findChromium, howToGetIt } from '../chromium.ts';
import { startSlowLink } from '../testing-slow-link.ts';
import { goTo } from './testing-interface.ts';
import { drop } from './testing-user-driver.ts';
import { wordsOf } from './testing-words.ts';
import { openProjectWindows, type ProjectWindows, untilShown } from './testing-windows.ts';
import { afterFile } from '../../checks/clean-up.ts';

const executable = findChromium();
const skip = executable === undefined && howToGetIt;
const droppedFiles = Number(process.env['PLATEN_DROPPED_FILES'] ?? 100);
const words = wordsOf('en');
const timeout = 120_000;

/** The maximum length of a name. */
const emoji = '🏙️🌳🚋'.repeat(51).slice(0, 255);
const arabic = 'خريطة مصابيح الشوارع في المدينة القديمة والأحياء المجاورة لها';

let windows: ProjectWindows;
let service: ProjectWindows['service'];
let made: ProjectWindows['made'];
let addressOf: ProjectWindows['addressOf'];
let inWindow: ProjectWindows['inWindow'];

before(async () => {
  if (skip) return;
  windows = await openProjectWindows(executable!);
  ({ service, made, addressOf, inWindow } = windows);
});
afterFile(() => windows?.close());

test(
  'pages that a plain member may not read are neither offered nor requested',
  { skip, timeout },
  async () => {
    const { client } = service;
    const credentials = { username: 'mona', password: 'tomatoes grow slowly' };
    const { _id: userId } = await client.postUser({ body: { ...credentials, email: '' } });
    const { items: roles } = await client.getIamRoles();
    const { _id: roleId } = roles.find(({ name }) => name === 'projectMember')!;
    await client.putProjectUser({ params: { projectId: made.projectId, userId }, body: { roleId } });
    await inWindow(
      async ({ page }) => {
        const failed: string[] = [];
        page.on('response', (response) => {
          if (response.status() >= 400) failed.push(`${response.status()} ${response.url()}`);
        });
        const places = ['overview', 'datasources', 'tasks', 'modules', 'apps', 'members', 'settings'];
        for (const place of places) {
          await page.goto(addressOf(place));
          await untilShown(page);
          await page.waitForTimeout(500);
        }
        assert.deepEqual(failed, []);
        const offered = (place: string) =>
          page.getByRole('navigation').getByRole('link', { name: words(`shell.places.${place}`) });
        assert.equal(await offered('apps').count(), 1);
        for (const place of ['files', 'jobs']) assert.equal(await offered(place).count(), 0, place);
      },
      { credentials },
    );
  },
);

test(
  'an upload resumes by itself after a network failure, and the file is complete',
  { skip, timeout },
  async () => {
    const text = Array.from({ length: 400_000 }, (_, i) => `${i}\n`).join('');
    const link = await startSlowLink(service.port);
    await inWindow(
      async ({ page, expect }) => {
        await page.goto(`${link.url}/p/${made.projectId}/files`);
        await page.getByRole('button', { name: words('uploads.upload'), exact: true }).waitFor();
        link.speed = 400_000;
        link.downAfter = text.length / 2;
        expect(/Failed to load resource: net::ERR_/);
        await drop(page, [{ name: 'points.csv', content: text }]);
        await page.getByText(words('uploads.offline')).first().waitFor();
        link.speed = Infinity;
        link.setDown(false);
        await page.getByText('“points.csv” uploaded').waitFor();
      },
      { url: link.url },
    ).finally(() => link.close());
    const { projectId, dataBucketId } = made;
    const answer = await fetch(
      `${service.url}/api/v1/project/${projectId}/data-bucket/${dataBucketId}/download-file?key=points.csv`,
      { headers: { authorization: `Bearer ${service.token}` } },
    );
    assert.equal(answer.status, 200);
    assert.equal(await answer.text(), text);
  },
);

test('a job that fails says what happened, where, and what to do', { skip, timeout }, async () => {
  const { projectId, dataBucketId } = made;
  const feature = '{"type":"Feature","properties":{},"geometry":{"type":"Point","coordinates":[13,52]}}';
  const text = `{"type":"FeatureCollection","features":[\n${feature},\n${feature.replace(':[', ';[')}\n]}`;
  const form = new FormData();
  form.append('broken.geojson', new Blob([text]), 'broken.geojson');
  await service.client.postProjectDataBucketUpload({ params: { projectId, dataBucketId }, body: form });
  await inWindow(async ({ page }) => {
    await page.goto(
      addressOf(`tasks/new?jobType=platenTilesVector&bucket=${dataBucketId}&key=broken.geojson`),
    );
    await page.getByRole('button', { name: words('tasks.createAndRun') }).click();
    const alert = page.getByRole('region', { name: words('jobs.state') }).getByRole('alert');
    await alert.getByText(words('jobs.failures.brokenJson.what')).waitFor();
    await alert.getByText(words('jobs.failures.brokenJson.todo')).waitFor();
    assert.match(await alert.innerText(), /line 3/);
  });
});

test('long emoji names and right-to-left names fit narrow windows', { skip, timeout }, async () => {
  const { client, url } = service;
  const body = { name: emoji, description: arabic, bbox: [13.3, 52.4, 13.5, 52.6] };
  const { _id: projectId, defaultDataBucketId: dataBucketId } = await client.postProject({ body });
  const params = { projectId };
  const key = `${arabic}.geojson`;
  const form = new FormData();
  form.append(key, new Blob(['{"type":"Point","coordinates":[13.4,52.5]}']), key);
  await client.postProjectDataBucketUpload({ params: { projectId, dataBucketId }, body: form });
  const source = { type: 'internal', dataBucketId, dataBucketKey: key } as const;
  const { _id: datasourceId } = await client.postProjectDatasource({
    params,
    body: { name: arabic.repeat(4), type: 'geojson', sourceProperties: source },
  });
  const { _id: moduleId } = await client.postProjectModule({ params, body: { name: emoji } });
  const { _id: appId } = await client.postProjectApp({
    params,
    body: { name: emoji, moduleIds: [moduleId] },
  });
  const schedule = { type: 'cron', cron: '0 0 1 1 *' } as const;
  const parameters = { datasource: { command: 'create', name: emoji }, options: { input: source } };
  const task = { name: emoji, jobType: 'platenTilesVector', schedule, parameters };
  const { _id: taskId } = await client.postProjectTask({ params, body: task });
  const places = [
    'overview',
    `files?key=${encodeURIComponent(key)}`,
    'datasources',
    `datasources/${datasourceId}`,
    'tasks',
    `tasks/${taskId}`,
    'jobs',
    'modules',
    `modules/${moduleId}`,
    'apps',
    `apps/${appId}`,
    'members',
    'settings',
  ];
  await inWindow(
    async ({ page }) => {
      const wide: string[] = [];
      for (const path of ['/', ...places.map((place) => `/p/${projectId}/${place}`)]) {
        await goTo(page, url + path);
        await untilShown(page);
        for (const width of [390, 320]) {
          await page.setViewportSize({ width, height: 800 });
          const excess = await page.evaluate(
            () => document.scrollingElement!.scrollWidth - document.scrollingElement!.clientWidth,
          );
          if (excess > 0) wide.push(`${path} by ${excess} px at ${width} px`);
        }
      }
      assert.deepEqual(wide, []);
    },
    { width: 390 },
  );
});

test(
  `${droppedFiles} files in one drop are all uploaded while the page stays responsive`,
  { skip, timeout: 300_000 },
  async (t) => {
    const { _id: projectId, defaultDataBucketId: dataBucketId } = await service.client.postProject({
      body: { name: 'Many files', description: '', bbox: [13.3, 52.4, 13.5, 52.6] },
    });
    const files = Array.from({ length: droppedFiles }, (_, i) => ({
      name: `point-${i}.txt`,
      content: `${i}`,
    }));
    await inWindow(async ({ page }) => {
      page.setDefaultTimeout(240_000);
      await page.goto(`${service.url}/p/${projectId}/files`);
      await page
        .getByRole('button', { name: words('uploads.upload'), exact: true })
        .first()
        .waitFor();
      await watchPauses(page);
      await watchForBar(page, words('uploads.title'));
      await drop(page, files);
      await page.waitForFunction(() => 'sawBar' in globalThis);
      const underWay = page.getByRole('progressbar', { name: words('uploads.title'), exact: true });
      await underWay.waitFor({ state: 'detached' });
      const pauses = await page.evaluate(() => (globalThis as unknown as { pauses: number[] }).pauses);
      // reported, not asserted: the duration depends mostly on the load of the machine
      t.diagnostic(`it stood still for ${Math.round(Math.max(...pauses))} ms at most`);
    });
    const { totalCount } = await service.client.getProjectDataBucketObjects({
      params: { projectId, dataBucketId },
      query: { limit: 1 },
    });
    assert.equal(totalCount, droppedFiles);
  },
);

/** Sets `sawBar` once such a bar appears, however briefly. */
async function watchForBar(page: Page, label: string): Promise<void> {
  await page.evaluate((name) => {
    new MutationObserver((_, observer) => {
      if (!document.querySelector(`[role=progressbar][aria-label="${name}"]`)) return;
      Object.assign(globalThis, { sawBar: true });
      observer.disconnect();
    }).observe(document.body, { subtree: true, childList: true, attributes: true });
  }, label);
}

/** Records how long each task of the page blocked all others, as the gap between two timer ticks. */
async function watchPauses(page: Page): Promise<void> {
  await page.evaluate(() => {
    const pauses: number[] = [0];
    (globalThis as unknown as { pauses: number[] }).pauses = pauses;
    const { port1, port2 } = new MessageChannel();
    let at = performance.now();
    port1.addEventListener('message', () => {
      const now = performance.now();
      if (now - at > 50) pauses.push(now - at);
      at = now;
      setTimeout(() => port2.postMessage(0), 10);
    });
    port1.start();
    port2.postMessage(0);
  });
}
