import assert from 'node:assert/strict';
import type { AddressInfo } from 'node:net';
import { before, test } from 'node:test';
import type { Browser } from 'playwright-core';
import { imageArchive, newPlace, publish, upload } from '../server/datasources/open-in/testing.ts';
import { registerFile } from '../server/datasources/serving/testing.ts';
import { startService } from '../server/testing.ts';
import { findChromium, howToGetIt } from './chromium.ts';
import { sharedBrowser } from './testing-shared.ts';
import { afterFile } from '../checks/clean-up.ts';

// The page that shows by which addresses data are opened, in a browser: with its script and without.

const executable = findChromium();
const skip = executable === undefined ? howToGetIt : false;
const service = startService();
let browser: Browser;
let origin: string;
let id: string;

before(async () => {
  if (executable === undefined) return;
  const running = await service;
  const place = await newPlace(running);
  await upload(running, place, { 'images.pmtiles': imageArchive() });
  id = await registerFile(running, place, 'tms', 'images.pmtiles');
  await publish(running, place, [id]);
  await running.app.listen({ port: 0, host: '127.0.0.1' });
  origin = `http://127.0.0.1:${(running.app.server.address() as AddressInfo).port}`;
  browser = await sharedBrowser(executable);
});

afterFile(() => browser?.close());

test('each address has a button that copies it, and nothing is said in the console', { skip }, async () => {
  const context = await browser.newContext({ permissions: ['clipboard-read', 'clipboard-write'] });
  const page = await context.newPage();
  const messages: string[] = [];
  page.on('console', (message) => messages.push(message.text()));
  page.on('pageerror', (error) => messages.push(String(error)));
  await page.goto(`${origin}/open/${id}/`);
  const button = page.getByRole('button', { name: 'Copy: WMTS' });
  await button.click();
  await page.getByText('Copied: WMTS').waitFor();
  const copied = await page.evaluate(() => navigator.clipboard.readText());
  assert.equal(copied, `${origin}/data/${id}/WMTSCapabilities.xml`);
  assert.equal(await page.getByRole('button').count(), await page.locator('.copyable').count());
  await page.setViewportSize({ width: 320, height: 700 });
  const width = await page.evaluate(() => document.documentElement.scrollWidth);
  assert.equal(width, 320);
  assert.deepEqual(messages, []);
  await context.close();
});

test('the documents for other programs are XML, as a browser reads it', { skip }, async () => {
  const page = await browser.newPage();
  // a page that may ask: that with the addresses asks for nothing
  await page.goto(`${origin}/data/${id}/tiles.json`);
  for (const [name, root] of [
    ['WMTSCapabilities.xml', 'Capabilities'],
    ['qgis.qlr', 'qlr'],
    ['qgis-wmts.qlr', 'qlr'],
  ] as const) {
    const text = await (await fetch(`${origin}/data/${id}/${name}`)).text();
    const seen = await page.evaluate((xml) => {
      const parsed = new DOMParser().parseFromString(xml, 'application/xml');
      return parsed.querySelector('parsererror')?.textContent ?? parsed.documentElement.localName;
    }, text);
    assert.equal(seen, root);
  }
  await page.close();
});

test('without script the complete addresses are visible', { skip }, async () => {
  const context = await browser.newContext({ javaScriptEnabled: false, locale: 'de-DE' });
  const page = await context.newPage();
  await page.goto(`${origin}/open/${id}/`);
  const texts = await page.locator('code').allTextContents();
  assert.ok(texts.includes(`${origin}/data/${id}/xyz/{z}/{x}/{y}.png`));
  assert.equal(await page.getByRole('button').count(), 0);
  assert.equal(await page.locator('h2').first().textContent(), 'TileJSON');
  await context.close();
});
