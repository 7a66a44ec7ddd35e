// node e2e/web/shots.ts [screen…]: pictures of twelve screens, light and dark, at three widths, to be looked at: e2e/shots/web/.
import { mkdir } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import sharp, { type Sharp } from 'sharp';
import { findChromium, howToGetIt, launchChromium } from '../chromium.ts';
import { runService } from '../processes.ts';
import { openInterface } from './testing-interface.ts';
import { makeProject } from './testing-project.ts';

const folder = fileURLToPath(new URL('../shots/web/', import.meta.url));
const widths = [1440, 1024, 390] as const;
const height = 900;
const screens: Readonly<Record<string, string>> = {
  login: '/login',
  projects: '/',
  overview: '/p/:projectId/overview',
  files: '/p/:projectId/files?key=lamps.geojson',
  datasource: '/p/:projectId/datasources/:datasourceId',
  'new-task': '/p/:projectId/tasks/new?jobType=TilesVector',
  tasks: '/p/:projectId/tasks',
  job: '/p/:projectId/jobs/:jobId',
  module: '/p/:projectId/modules/:moduleId',
  app: '/p/:projectId/apps/:appId',
  members: '/p/:projectId/members',
  users: '/admin/users',
};

const chromium = findChromium();
if (chromium === undefined) throw new Error(howToGetIt);
await mkdir(folder, { recursive: true });
const service = await runService();
const browser = await launchChromium(chromium);
const made = (await makeProject(service)) as Readonly<Record<string, string>>;
const names = process.argv.slice(2);
for (const [name, path] of Object.entries(screens)) {
  if (names.length > 0 && !names.includes(name)) continue;
  const pictures: Buffer[] = [];
  for (const theme of ['light', 'dark'] as const) {
    for (const width of widths) {
      const language = theme === 'light' ? 'de' : 'en';
      const who = name === 'login' ? undefined : { username: 'admin', password: 'correct horse battery' };
      const { page, context } = await openInterface(
        browser,
        service,
        { theme, width, height, language },
        who,
      );
      await page.goto(service.url + path.replace(/:(\w+)/g, (_, id: string) => made[id] ?? id));
      await page.locator('h1').first().waitFor();
      await page.waitForTimeout(2500);
      pictures.push(await page.screenshot({ path: `${folder}${name}-${theme}-${width}.png` }));
      await context.close();
    }
  }
  await sheet(pictures).toFile(`${folder}${name}.png`);
}
await browser.close();
await service.stop();

/** Combines all pictures of a screen on one sheet: light above, dark below. */
function sheet(pictures: readonly Buffer[]): Sharp {
  const lefts = [0, widths[0], widths[0] + widths[1]];
  return sharp({
    create: { width: lefts[2]! + widths[2], height: 2 * height, channels: 3, background: '#888' },
  })
    .composite(pictures.map((input, i) => ({ input, left: lefts[i % 3]!, top: i < 3 ? 0 : height })))
    .png();
}
