import assert from 'node:assert/strict';
import { openAsBlob } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { publishDemo } from '@platen/examples/publish-demo';
import type { Browser, Page } from 'playwright-core';
import { unchanged } from '../checks/costly-tests.ts';
import { findChromium, howToGetIt } from './chromium.ts';
import { adminPassword, runService } from './processes.ts';
import { watch } from './testing-engines.ts';
import { isComplete, type EngineApp } from './testing-globe.ts';
import { sharedBrowser } from './testing-shared.ts';

const executable = findChromium();
const shots = fileURLToPath(new URL('shots/', import.meta.url));
const file = (name: string) => openAsBlob(new URL(`../examples/data/${name}`, import.meta.url));
const mapTimeoutMs = 180_000;
const themes = ['countries', 'capitals', 'places', 'rivers'];

test(
  'from an empty folder to a public globe with the tiled features, by HTTP alone, in each engine',
  { skip: executable === undefined && howToGetIt, timeout: 300_000 },
  async (t) => {
    const service = await runService({ isFirstStart: true });
    const browser = await sharedBrowser(executable!, { map: true });
    try {
      const lines: string[] = [];
      const say = (line: string) => void lines.push(line);
      const address = await publishDemo({
        url: service.url,
        username: 'admin',
        password: adminPassword,
        file,
        say,
      });
      t.diagnostic(lines.join(' · '));

      const { page, seen, tiles } = await open(browser, address, service.url);
      await page.waitForFunction(isComplete, themes, { timeout: mapTimeoutMs, polling: 500 });
      await mkdir(shots, { recursive: true });
      const picture = await page.screenshot({ path: `${shots}demo-globe.png`, timeout: mapTimeoutMs });
      assert.ok(picture.length > 50_000, 'the picture shows more than one colour');
      await assertWhole(page);
      assert.deepEqual(seen.complaints, []);

      const { items } = await service.client.getProjects({ query: { name: ['Demo'] } });
      const { _id: projectId } = items[0]!;
      const apps = await service.client.getProjectApps({ params: { projectId } });
      const { _id: appId, name, moduleIds } = apps.items[0]!;
      const params = { projectId, appId };
      for (const mapVersion of unchanged('older engines') ? [] : ['~6.2', '^5']) {
        const engine = new RegExp(`^/engines/${mapVersion.slice(1)}[.]`);
        await service.client.putProjectApp({ params, body: { name, moduleIds, mapVersion } });
        const older = await open(browser, address, service.url);
        await assertWhole(older.page);
        assert.ok(
          older.seen.paths.some((path) => engine.test(path)),
          mapVersion,
        );
        assert.deepEqual(older.seen.complaints, [], mapVersion);
        await older.page.close();
      }

      await service.client.deleteProjectAppPublic({ params });
      assert.equal((await fetch(address)).status, 404);
      assert.equal((await fetch(tiles[0]!)).status, 404);
      await service.client.putProjectAppPublic({ params });
      assert.equal((await fetch(tiles[0]!)).status, 200);
    } finally {
      await browser.close();
      await service.stop();
    }
  },
);

/** Opens the map and waits until it reads its tiles. */
async function open(browser: Browser, address: string, origin: string) {
  const page = await browser.newPage({ viewport: { width: 800, height: 500 }, locale: 'en-GB' });
  const seen = watch(page, origin);
  const tiles: string[] = [];
  page.on('response', (response) => {
    if (/\/data\/.*\.pbf$/.test(response.url()) && response.status() === 200) tiles.push(response.url());
  });
  await page.goto(address);
  // a globe that has asked for nothing yet calls itself complete
  for (const end = Date.now() + mapTimeoutMs; tiles.length <= 3 && Date.now() < end;)
    await page.waitForTimeout(250);
  assert.ok(tiles.length > 3, `vector tiles were read: ${tiles.length}`);
  return { page, seen, tiles };
}

/** No layer was left out. */
async function assertWhole(page: Page): Promise<void> {
  const layers = await page.evaluate(activeLayers);
  assert.ok(
    themes.every((name) => layers.some((layer) => layer.includes(name))),
    layers.join(),
  );
}

function activeLayers(): string[] {
  const { vcs } = globalThis as unknown as { vcs: { getFirstApp: () => EngineApp } };
  return [...vcs.getFirstApp().layers]
    .filter((layer) => layer.active)
    .map((layer) => layer.name.toLowerCase());
}
