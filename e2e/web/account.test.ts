import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import type { Browser } from 'playwright-core';
import { afterFile } from '../../checks/clean-up.ts';
import { findChromium, howToGetIt } from '../chromium.ts';
import type { RunningService } from '../processes.ts';
import { sharedBrowser, sharedService } from '../testing-shared.ts';
import { openInterface } from './testing-interface.ts';
import { wordsOf } from './testing-words.ts';

const executable = findChromium();
const skip = executable === undefined && howToGetIt;
const words = wordsOf('en');

let service: RunningService;
let browser: Browser;

before(async () => {
  if (skip) return;
  service = await sharedService();
  browser = await sharedBrowser(executable!);
});
afterFile(() => browser?.close());

test(
  'a user chooses a new password by a link, ends other sessions, and changes the address',
  { skip },
  async (t) => {
    const username = `gerda ${Math.random()}`;
    const password = 'tomatoes grow slowly';
    const { _id: userId } = await service.client.postUser({ body: { username, password } });
    const admin = await openInterface(browser, service);
    t.after(() => admin.context.close());
    await admin.page.goto(`${service.url}/admin/users`);
    const row = admin.page.getByRole('row', { name: username });
    await row.getByRole('button').last().click();
    await admin.page.getByRole('menuitem', { name: words('admin.resetPassword') }).click();
    await admin.page.getByRole('button', { name: words('admin.makeResetLink') }).click();
    const link = (await admin.page.getByRole('dialog').locator('code').textContent()) ?? '';
    await admin.page
      .getByRole('dialog')
      .getByRole('button', { name: words('ui.close') })
      .click();
    // several rows have shown their menus: the next page opens all the same
    await admin.page.getByRole('link', { name: words('shell.places.admin-roles') }).click();
    await admin.page.getByRole('heading', { level: 1, name: words('shell.places.admin-roles') }).waitFor();
    admin.assertQuiet();

    const { page, context, expect } = await openInterface(browser, service, {}, { username, password });
    t.after(() => context.close());
    expect(/400|401/); // the weak password, and the session that has ended
    await page.goto(link);
    const [first, second] = [
      page.getByLabel(words('login.newPassword'), { exact: true }),
      page.getByLabel(words('login.again')),
    ];
    for (const field of [first, second]) await field.fill('12345678');
    await page.getByRole('button', { name: words('login.resetSave') }).click();
    await page
      .getByText(/10,000 most common/)
      .first()
      .waitFor();
    for (const field of [first, second]) await field.fill('potatoes grow faster');
    await page.getByRole('button', { name: words('login.resetSave') }).click();
    await page.waitForURL((url) => url.pathname === '/');

    const other = await fetch(`${service.url}/api/v1/login`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'user-agent': 'nightly-export/2.1' },
      body: JSON.stringify({ username, password: 'potatoes grow faster' }),
    });
    const { token } = (await other.json()) as { token: string };
    await page.goto(`${service.url}/me`);
    await page.getByText(words('profile.thisSession')).waitFor();
    await page.getByRole('listitem').filter({ hasText: 'nightly-export' }).getByRole('button').click();
    await page.getByText('nightly-export').waitFor({ state: 'detached' });
    const headers = { authorization: `Bearer ${token}` };
    assert.equal((await fetch(`${service.url}/api/v1/user/whoami`, { headers })).status, 401);

    const form = page.locator('form').filter({ has: page.locator('input[type=email]') });
    await form.locator('input[type=email]').fill('gerda@city.example');
    await form.locator('input[type=password]').fill('potatoes grow faster');
    await form.getByRole('button').click();
    await page.getByText(words('ui.saved')).first().waitFor();
    const { email } = await service.client.getUser({ params: { userId } });
    assert.equal(email, 'gerda@city.example');
  },
);
