// A test of the interface.

import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import { createClient } from '@platen/client/client';
import { apiEndpoints } from '@platen/contract/api';
import type { Page } from 'playwright-core';
import { findChromium, howToGetIt } from '../chromium.ts';
import { wordsOf } from './testing-words.ts';
import { openProjectWindows, type ProjectWindows } from './testing-windows.ts';
import { afterFile } from '../../checks/clean-up.ts';

const executable = findChromium();
const skip = executable === undefined && howToGetIt;
const words = wordsOf('en');
const timeout = 120_000;

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

const untilSaved = (page: Page) => page.getByText(words('ui.saved'), { exact: true }).first().waitFor();

test('edits survive an expired session and are saved after signing in again', { skip, timeout }, async () => {
  const { client, url } = service;
  const credentials = { username: 'wanda', password: 'tomatoes grow slowly' };
  const { _id: userId } = await client.postUser({ body: { ...credentials, email: '' } });
  const { items: roles } = await client.getIamRoles();
  const { _id: roleId } = roles.find(({ name }) => name === 'projectManager')!;
  const { projectId } = made;
  await client.putProjectUser({ params: { projectId, userId }, body: { roleId } });
  await inWindow(
    async ({ page, expect }) => {
      await page.goto(addressOf('settings'));
      await page.getByLabel(words('settings.description')).fill('Typed before the session ended');
      expect(/status of 401/);
      const { token } = await createClient(apiEndpoints, { baseUrl: url }).postLogin({ body: credentials });
      await createClient(apiEndpoints, { baseUrl: url, token }).getLogoutAll();
      const signIn = async () => {
        const dialog = page.getByRole('dialog', { name: words('login.ended') });
        await dialog.waitFor();
        await dialog.getByLabel(words('login.password')).fill(credentials.password);
        await dialog.getByRole('button', { name: words('login.signIn') }).click();
      };
      // the page may notice by itself: the click on the covered button then waits until the dialog is gone
      await Promise.all([
        page.getByRole('button', { name: words('ui.save'), exact: true }).click(),
        signIn(),
      ]);
      await untilSaved(page);
    },
    { credentials },
  );
  const { description } = await client.getProject({ params: { projectId } });
  assert.equal(description, 'Typed before the session ended');
});

test('resources added by someone else appear without a reload', { skip, timeout }, async () => {
  const params = { projectId: made.projectId };
  await inWindow(async ({ page }) => {
    await page.goto(addressOf('modules'));
    await page.getByRole('link', { name: 'Street lamps' }).first().waitFor();
    await service.client.postProjectModule({ params, body: { name: 'Benches of a colleague' } });
    await page.getByRole('link', { name: 'Benches of a colleague' }).first().waitFor();
    await page
      .getByRole('link', { name: words('shell.places.apps') })
      .first()
      .click();
    await page.getByRole('link', { name: 'Light in the city' }).first().waitFor();
    const body = { name: 'App of a colleague', moduleIds: [made.moduleId] };
    await service.client.postProjectApp({ params, body });
    await page.getByRole('link', { name: 'App of a colleague' }).first().waitFor();
  });
});

test('concurrent edits are merged, and conflicting fields need a decision', { skip, timeout }, async () => {
  const params = { projectId: made.projectId };
  const change = { name: 'Stadt Auental am Fluss', description: 'What the colleague wrote' };
  await inWindow(async ({ page, expect }) => {
    await page.goto(addressOf('settings'));
    await page.getByLabel(words('settings.description')).fill('What I wrote');
    await service.client.putProject({ params, body: change });
    expect(/status of 412/);
    await page.getByRole('button', { name: words('ui.save'), exact: true }).click();
    const dialog = page.getByRole('dialog', { name: words('live.conflict') });
    await dialog.getByText(change.description).waitFor();
    await dialog.getByText('What I wrote').waitFor();
    assert.equal(await dialog.getByText(change.name).count(), 0);
    const before = await service.client.getProject({ params });
    assert.equal(before.description, change.description, 'nothing is overwritten before it was decided');
    await dialog.getByLabel(words('live.mine')).check();
    await dialog.getByRole('button', { name: words('live.resolve') }).click();
    await dialog.waitFor({ state: 'detached' });
    await untilSaved(page);
  });
  const { name, description } = await service.client.getProject({ params });
  assert.deepEqual({ name, description }, { name: change.name, description: 'What I wrote' });
});
