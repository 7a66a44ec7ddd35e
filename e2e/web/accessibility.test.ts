// A test of the interface.

import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import type { Browser, Page } from 'playwright-core';
import { findChromium, howToGetIt } from '../chromium.ts';
import type { RunningService } from '../processes.ts';
import { goTo, openInterface, type Interface } from './testing-interface.ts';
import { makeProject } from './testing-project.ts';
import { violationsOf } from '../testing-axe.ts';
import { sharedBrowser, sharedService } from '../testing-shared.ts';
import { afterFile } from '../../checks/clean-up.ts';

const executable = findChromium();
const skip = executable === undefined && howToGetIt;

let service: RunningService;
let browser: Browser;
let made: Awaited<ReturnType<typeof makeProject>>;
let shown: Interface;

before(async () => {
  if (skip) return;
  service = await sharedService();
  browser = await sharedBrowser(executable!, { map: true });
  made = await makeProject(service);
  const gone = { name: 'Gone', description: '', bbox: [-180, -85, 180, 85] };
  const { _id: projectId } = await service.client.postProject({ body: gone });
  await service.client.deleteProject({ params: { projectId } }); // listed on the page of projects
  shown = await openInterface(browser, service);
});
afterFile(() => browser?.close());

/** Every page, with what opens over it: by its first menu, its first main button, or keys. */
const pages: readonly { path: string; overlays?: readonly string[]; signedOut?: true }[] = [
  { path: '/login', signedOut: true },
  { path: '/', overlays: ['key:Control+k', 'key:?'] },
  { path: '/p/:projectId/overview' },
  { path: '/p/:projectId/files', overlays: ['menu'] },
  { path: '/p/:projectId/files?key=lamps.geojson' },
  { path: '/p/:projectId/datasources' },
  { path: '/p/:projectId/datasources/:datasourceId' },
  { path: '/p/:projectId/tasks', overlays: ['menu'] },
  { path: '/p/:projectId/tasks/new' },
  { path: '/p/:projectId/tasks/new?jobType=TilesVector' },
  { path: '/p/:projectId/tasks/:taskId' },
  { path: '/p/:projectId/jobs' },
  { path: '/p/:projectId/jobs/:jobId' },
  { path: '/p/:projectId/modules', overlays: ['menu'] },
  { path: '/p/:projectId/modules/:moduleId' },
  { path: '/p/:projectId/apps', overlays: ['menu'] },
  { path: '/p/:projectId/apps/:appId', overlays: ['primary'] },
  { path: '/p/:projectId/scenarios' },
  { path: '/p/:projectId/members', overlays: ['primary'] },
  { path: '/p/:projectId/settings' },
  { path: '/me' },
  { path: '/admin/users', overlays: ['menu', 'primary'] },
  { path: '/admin/roles', overlays: ['primary'] },
  { path: '/admin/audit' },
  { path: '/admin/jobs' },
  { path: '/admin/tasks' },
  { path: '/admin/runners', overlays: ['primary'] },
  { path: '/admin/plugins' },
  { path: '/admin/storage' },
  { path: '/admin/settings' },
];

const addressOf = (path: string) =>
  service.url + path.replace(/:(\w+)/g, (_, name: string) => (made as Record<string, string>)[name] ?? name);

for (const { path, overlays = [], signedOut } of pages) {
  test(
    `${path} is accessible, light and dark, in both languages, with what opens over it`,
    { skip },
    async () => {
      const own = signedOut ? await openInterface(browser, service, {}, undefined) : shown;
      const { page } = own;
      await goTo(page, addressOf(path));
      await untilSettled(page);
      for (const look of looks) {
        await change(page, look);
        await untilSettled(page);
        await checkRules(page, path, look);
        for (const overlay of overlays) {
          await openOverlay(page, overlay);
          await checkRules(page, `${path} with ${overlay}`, look);
          await page.keyboard.press('Escape');
          await page.locator('[role=dialog], [role=menu]').first().waitFor({ state: 'detached' });
        }
      }
      await page.getByRole('button', { name: 'Switch to English' }).click();
      await page.waitForFunction(() => document.documentElement.lang === 'en');
      own.assertQuiet();
      if (signedOut) await own.context.close();
    },
  );
}

/** Until nothing is being loaded, and the words are there. */
async function untilSettled(page: Page): Promise<void> {
  await page.locator('h1, [role=alert]').first().waitFor();
  await page.waitForFunction(() => {
    const isBusy = document.querySelector('main .animate-pulse') !== null;
    return !isBusy && document.fonts.status === 'loaded';
  });
}

async function openOverlay(page: Page, overlay: string): Promise<void> {
  const [kind, keys = ''] = overlay.split(/:(.*)/s);
  if (kind === 'key') await page.keyboard.press(keys);
  else if (kind === 'primary') await page.locator('main button.btn-primary').first().click();
  else await page.locator('main [aria-haspopup=menu]').first().click();
  await page.locator('[role=dialog], [role=menu]').first().waitFor();
}

interface Look {
  readonly theme: 'light' | 'dark';
  readonly language: 'en' | 'de';
}

/**
 * Each page is checked in these one after the other. Another theme changes colours only, and another language words
 * only: so two of the four have both of each.
 */
const looks: readonly Look[] = [
  { theme: 'light', language: 'en' },
  { theme: 'dark', language: 'de' },
];

async function change(page: Page, { theme, language }: Look): Promise<void> {
  const current = await page.evaluate(() => document.documentElement.lang);
  if (current !== language) await page.getByRole('button', { name: 'Auf Deutsch umschalten' }).click();
  await page.waitForFunction((expected) => document.documentElement.lang === expected, language);
  await setTheme(page, theme);
}

async function checkRules(page: Page, place: string, { theme, language }: Look): Promise<void> {
  // colours in transition between themes are ignored, while real violations persist
  let violations = await violationsOf(page);
  for (let more = 0; more < 3 && violations.length > 0; more++) {
    await page.waitForTimeout(500);
    violations = await violationsOf(page);
  }
  assert.deepEqual(violations, [], `${place}, ${theme}, ${language}`);
}

async function setTheme(page: Page, theme: string): Promise<void> {
  await page.evaluate(async (to) => {
    if (document.documentElement.dataset['theme'] === to) return;
    document.documentElement.dataset['theme'] = to;
    // colours change by transitions, however short, that begin with the next frame
    await new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)));
    await Promise.all(document.getAnimations().map((one) => one.finished.catch(() => {})));
    await new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)));
  }, theme);
}
