// A test of the interface.

import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import type { Response } from 'playwright-core';
import { findChromium, howToGetIt } from '../chromium.ts';
import { wordsOf } from './testing-words.ts';
import { openProjectWindows, type ProjectWindows } from './testing-windows.ts';
import { afterFile } from '../../checks/clean-up.ts';

const executable = findChromium();
const skip = executable === undefined && howToGetIt;
const words = wordsOf('en');

let windows: ProjectWindows;

before(async () => {
  if (!skip) windows = await openProjectWindows(executable!);
});
afterFile(() => windows?.close());

test(
  'a base map is added to the settings of a project, and an app chooses it',
  { skip, timeout: 120_000 },
  async () => {
    const { service, made, addressOf, inWindow } = windows;
    const { projectId, appId } = made;
    const { client } = service;
    const url = 'https://maps.city.example/{z}/{x}/{y}.png';
    await inWindow(async ({ page, expect }) => {
      const press = (label: string) => page.getByRole('button', { name: words(label), exact: true }).click();
      const fill = (label: string, text: string) =>
        page.getByRole('dialog').getByLabel(words(label), { exact: true }).fill(text);
      const isChange = (response: Response) => response.request().method() === 'PUT';
      const save = () => Promise.all([page.waitForResponse(isChange), press('ui.save')]);
      await page.goto(addressOf('settings'));
      await press('base-maps.add');
      await fill('ui.name', 'City map');
      await fill('base-maps.url', 'https://maps.city.example/{z}/{x}.png');
      await fill('base-maps.attribution', 'City');
      await press('base-maps.keep');
      expect(/status of 400/);
      await press('ui.save');
      await page.getByText('The template lacks {y}.', { exact: true }).waitFor();
      await page.getByRole('button', { name: `${words('base-maps.edit')}: City map` }).click();
      await fill('base-maps.url', url);
      await press('base-maps.keep');
      await save();
      const { baseMaps } = await client.getProject({ params: { projectId } });
      assert.deepEqual(baseMaps, [
        { id: 'city-map', name: 'City map', type: 'xyz', url, attribution: { text: 'City' } },
      ]);
      await page.goto(addressOf(`apps/${appId}?tab=settings`));
      for (const name of ['City map', words('base-maps.worldMaps.world-dark')])
        await page.getByLabel(name).check();
      await page
        .getByRole('button', { name: `${words('base-maps.up')}: ${words('base-maps.worldMaps.world-dark')}` })
        .click();
      await save();
      const app = await client.getProjectApp({ params: { projectId, appId } });
      assert.deepEqual(app.baseMaps, ['world-dark', 'city-map']);
    });
  },
);
