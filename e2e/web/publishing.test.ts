// A test of the interface.

import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import type { Browser } from 'playwright-core';
import { afterFile } from '../../checks/clean-up.ts';
import { findChromium, howToGetIt } from '../chromium.ts';
import type { RunningService } from '../processes.ts';
import { sharedBrowser, sharedService } from '../testing-shared.ts';
import { openInterface } from './testing-interface.ts';
import { makeProject } from './testing-project.ts';
import { wordsOf } from './testing-words.ts';

const executable = findChromium();
const skip = executable === undefined && howToGetIt;

let service: RunningService;
let browser: Browser;
let made: Awaited<ReturnType<typeof makeProject>>;

before(async () => {
  if (skip) return;
  service = await sharedService();
  browser = await sharedBrowser(executable!, { map: 'in frames only' });
  made = await makeProject(service, 'Publishing');
});
afterFile(() => browser?.close());

test('the publish dialog says what the public sees now, and what the draft changes', { skip }, async () => {
  const { client, url } = service;
  const { projectId, appId, moduleId } = made;
  const params = { projectId, appId };
  const { page, context, assertQuiet } = await openInterface(browser, { url }, { language: 'de' });
  const words = wordsOf('de');
  await page.goto(`${url}/p/${projectId}/apps/${appId}`);
  const open = page.locator('main button.btn-primary').first();
  const state = page.getByRole('region', { name: words('apps.publicNow') });
  await open.click();
  assert.match(await state.innerText(), /Nichts\. Nur Mitglieder und Gäste/);
  const shows = (label: string) => page.getByRole('radio', { name: words(label) });
  assert.ok(await shows('apps.shows.new').isChecked());
  await page.keyboard.press('Escape');

  await client.putProjectAppPublic({ params });
  await page.reload();
  await open.click();
  await state.getByText(words('apps.publicNowText.draft')).waitFor();
  assert.ok(await shows('apps.shows.live').isChecked(), 'a public draft stays one');
  await page.keyboard.press('Escape');

  await client.postProjectAppRelease({ params, body: {} });
  await client.putProjectAppPublic({ params });
  const layers = [{ type: 'GeoJSONLayer', name: 'lamps', datasourceId: made.datasourceId, zIndex: 7 }];
  await client.putProjectModule({ params: { projectId, moduleId }, body: { layers } });
  await page.reload();
  await open.click();
  await page.getByText(words('apps.newInDraft').replace('{n}', '1')).first().waitFor();
  const text = await state.innerText();
  assert.match(text, /Release 1, das gleich bleibt/);
  assert.match(text, /Ebene „lamps“, zu Beginn sichtbar: entfernt/);
  assert.match(text, /Ebene „lamps“, Zeichenreihenfolge: hinzugefügt/);
  await page.keyboard.press('Escape');

  await client.deleteProjectAppPublic({ params });
  await page.reload();
  await open.click();
  await state.getByText(words('apps.publicNowText.hidden').replace('{n}', '1')).waitFor();
  assertQuiet();
  await context.close();
});
