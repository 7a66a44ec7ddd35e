import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { mkdtemp, rm, symlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { codeBlocksOf } from '../checks/markdown-code.ts';
import { findChromium, howToGetIt } from './chromium.ts';
import { adminPassword } from './processes.ts';
import { startTimeoutMs, watch } from './testing-engines.ts';
import { openMap } from './testing-map-page.ts';
import { sharedBrowser, sharedService } from './testing-shared.ts';

const executable = findChromium();
const skip = executable === undefined && howToGetIt;
const run = promisify(execFile);
const root = fileURLToPath(new URL('..', import.meta.url));

/** Replaces what a person puts in; the text has to be there. */
function fillIn(script: string, text: string, by: string): string {
  assert.ok(script.includes(text), `the README says ${text}`);
  return script.replace(text, by);
}

test('the steps of the README lead from a file to a public map, a release, a share link and a download', async (t) => {
  const { url } = await sharedService();
  const folder = await mkdtemp(join(tmpdir(), 'platen-readme-'));
  t.after(() => rm(folder, { recursive: true, force: true }));
  await symlink(join(root, 'examples'), join(folder, 'examples'));
  const blocks = codeBlocksOf(readFileSync(join(root, 'README.md'), 'utf8'));
  const steps = blocks.filter(({ attributes }) => attributes['run'] === 'curl').map(({ code }) => code);
  assert.equal(steps.length, 2);
  const asIs = ['set -euo pipefail', ...steps].join('\n');
  const withUrl = fillIn(asIs, 'http://127.0.0.1:8080', url);
  const script = fillIn(withUrl, 'the password of the first start', adminPassword);

  const { stdout } = await run('bash', ['-c', script], { cwd: folder, timeout: 120_000 });

  assert.match(stdout, /^succeeded$/m);
  assert.match(stdout, /^true$/m, 'the app is public');
  assert.match(stdout, /^1$/m, 'the release has a number');
  const [address] = stdout.match(/^http\S+\/app\/\w+\/$/m)!;
  const [shared] = stdout.match(/^\S*\/share\/\S+$/m)!;
  for (const page of [address, shared]) assert.equal((await fetch(new URL(page, url))).status, 200, page);
  assert.match(stdout, /^\w+ http\S+\/data\/\S+/m, 'other programs have addresses');
  const { stdout: files } = await run('tar', ['-tzf', join(folder, 'countries.tar.gz')]);
  assert.match(files, /index\.html$/m);
  assert.match(files, /\/data\/.*\.pbf$/m);
  await t.test('the map has its layers, its source, and a card on click', { skip }, () => visit(address));
});

async function visit(address: string): Promise<void> {
  const browser = await sharedBrowser(executable!, { map: true });
  try {
    const context = await browser.newContext({ viewport: { width: 640, height: 480 }, locale: 'en-GB' });
    const page = await context.newPage();
    const seen = watch(page, new URL(address).origin);
    await openMap(page, address);
    await page.locator('#poster').waitFor({ state: 'detached', timeout: startTimeoutMs });
    await page.getByText('Countries', { exact: true }).first().waitFor();
    await page.getByText('Natural Earth').first().waitFor();
    const card = page.locator('.platen-card, .balloon').first();
    for (
      const end = Date.now() + startTimeoutMs;
      !(await card.isVisible());
      await page.waitForTimeout(1000)
    ) {
      assert.ok(Date.now() < end, 'a click in the middle of the map shows a card');
      await page.mouse.click(320, 264);
    }
    await page.getByText('Germany').first().waitFor();
    assert.deepEqual(seen.complaints, []);
  } finally {
    await browser.close();
  }
}
