import { findChromium, howToGetIt, launchChromium } from '@platen/e2e/chromium';
import { adminPassword, freePort, runService } from '@platen/e2e/processes';
import { makeProject } from '@platen/e2e/web/testing-project';
import lighthouse from 'lighthouse';
import desktop from 'lighthouse/core/config/desktop-config.js';
import { print } from './report.ts';

const categoryNames = ['performance', 'accessibility', 'best-practices'];

/** What Lighthouse says of the interface, as on a desk and as on a phone: its scores, and when the largest thing stood there. */
export async function benchInterface(): Promise<void> {
  const chromium = findChromium();
  if (chromium === undefined) return print(howToGetIt);
  const service = await runService();
  const port = await freePort();
  const browser = await launchChromium(chromium, [`--remote-debugging-port=${port}`]);
  try {
    const { projectId } = await makeProject(service);
    const answer = await fetch(`${service.url}/api/v1/session`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', origin: service.url },
      body: JSON.stringify({ username: 'admin', password: adminPassword }),
    });
    const cookie = answer.headers.get('set-cookie')!.split(';')[0]!;
    for (const path of ['/login', '/', 'overview', 'files', 'apps', 'jobs']) {
      const isIn = path !== '/login';
      const url = service.url + (path.startsWith('/') ? path : `/p/${projectId}/${path}`);
      for (const form of ['desktop', 'mobile'] as const) {
        const options = { port, onlyCategories: categoryNames, ...(isIn && { extraHeaders: { cookie } }) };
        const result = await lighthouse(url, options, form === 'desktop' ? desktop : undefined);
        print(`${path.padEnd(9)} ${form.padEnd(8)} ${scoresOf(result!.lhr)}`);
      }
    }
  } finally {
    await browser.close();
    await service.stop();
  }
}

function scoresOf({
  categories,
  audits,
}: NonNullable<Awaited<ReturnType<typeof lighthouse>>>['lhr']): string {
  const scores = categoryNames.map((name) => `${name} ${Math.round((categories[name]?.score ?? 0) * 100)}`);
  const shift = audits['cumulative-layout-shift']?.numericValue ?? Number.NaN;
  const paint = audits['largest-contentful-paint']?.numericValue ?? Number.NaN;
  return `${scores.join(' · ')} · LCP ${Math.round(paint)} ms · CLS ${shift.toFixed(3)}`;
}
