import { findChromium, howToGetIt, launchChromium } from '@platen/e2e/chromium';
import { adminPassword, runService, type RunningService } from '@platen/e2e/processes';
import { makeProject } from '@platen/e2e/web/testing-project';
import { percentile } from './percentile.ts';
import { print, printAtMost } from './report.ts';

type Browser = Awaited<ReturnType<typeof launchChromium>>;
type Page = Awaited<ReturnType<Browser['newPage']>>;

const rounds = 5;
const maxPictureMs = 2000;
const maxStyleMs = 300;
const waitMs = 120_000;

/**
 * How soon a public map shows a picture, beside a page of the same service without a map; and how soon the map of the module
 * editor shows another colour, beside one frame of it.
 */
export async function benchMap(): Promise<void> {
  const chromium = findChromium();
  if (chromium === undefined) return print(howToGetIt);
  const browser = await launchChromium(chromium);
  const service = await runService().catch(async (error: unknown) => {
    await browser.close();
    throw error;
  });
  try {
    const { projectId, appId, moduleId } = await makeProject(service);
    await service.client.putProjectAppPublic({ params: { projectId, appId } });
    await fetch(`${service.url}/app/${appId}/preview.png`); // made once after each release
    await measurePicture(browser, service, appId);
    await measureStyle(browser, service, `/p/${projectId}/modules/${moduleId}`);
  } finally {
    await browser.close();
    await service.stop();
  }
}

const median = (values: readonly number[]): number => percentile(values, 0.5);

async function measurePicture(browser: Browser, { url }: RunningService, appId: string): Promise<void> {
  const pictures: number[] = [];
  const plain: number[] = [];
  const loaded: number[] = [];
  for (let round = 0; round < rounds; round++) {
    const context = await browser.newContext({ viewport: { width: 1280, height: 800 } });
    const page = await context.newPage();
    await page.goto(`${url}/login`);
    plain.push(await paintOf(page));
    await page.goto(`${url}/app/${appId}/`);
    pictures.push(await paintOf(page));
    await page.waitForSelector('#poster', { state: 'detached', timeout: waitMs });
    loaded.push(await page.evaluate(() => performance.now()));
    await context.close();
  }
  print(
    `a page without a map: ${median(plain).toFixed(0)} ms; the map itself is drawn after ${median(loaded).toFixed(0)} ms`,
  );
  printAtMost('a public map shows its picture after … ms', median(pictures), maxPictureMs);
  print(`  ${(median(pictures) / median(plain)).toFixed(2)} times the page without a map`);
}

/** When the largest thing of the page stood there, in milliseconds since the page was asked for. */
async function paintOf(page: Page): Promise<number> {
  await page.waitForTimeout(1500);
  return page.evaluate(
    () =>
      new Promise<number>((resolve) => {
        new PerformanceObserver((list) => resolve(list.getEntries().at(-1)!.startTime)).observe({
          type: 'largest-contentful-paint',
          buffered: true,
        });
      }),
  );
}

async function measureStyle(browser: Browser, { url }: RunningService, path: string): Promise<void> {
  const context = await browser.newContext({ viewport: { width: 1440, height: 900 } });
  const page = await context.newPage();
  page.setDefaultTimeout(waitMs);
  const body = { username: 'admin', password: adminPassword };
  await context.request.post(`${url}/api/v1/session`, { data: body, headers: { origin: url } });
  await page.goto(url + path);
  await page.getByRole('treeitem').first().click();
  const style = page.getByRole('combobox', { name: 'Style', exact: true });
  await style.selectOption('attributes');
  const [, frame] = page.frames();
  await frame!.waitForSelector('#poster', { state: 'detached' });
  const colour = page.getByLabel('Colour by', { exact: true });
  const times: number[] = [];
  const frames: number[] = [];
  for (let round = 0; round < rounds * 2; round++) {
    frames.push(await frame!.evaluate(oneFrame));
    const shown = frame!.evaluate(untilStyled);
    await page.waitForTimeout(300); // until it watches
    const from = await colour.evaluate(
      (select: HTMLSelectElement, index) => {
        select.selectedIndex = index;
        const now = Date.now();
        select.dispatchEvent(new Event('change', { bubbles: true }));
        return now;
      },
      round % 2 === 0 ? 1 : 2,
    );
    times.push((await shown) - from);
  }
  await context.close();
  print(`one frame of the map: ${median(frames).toFixed(0)} ms`);
  printAtMost('the map of the editor has another colour after … ms', median(times), maxStyleMs);
}

/** Runs in the page of the map. */
function oneFrame(): Promise<number> {
  return new Promise((resolve) => {
    requestAnimationFrame(() => {
      const from = performance.now();
      requestAnimationFrame(() => resolve(performance.now() - from));
    });
  });
}

/** Runs in the page of the map: when it has drawn another style of the lamps. */
function untilStyled(): Promise<number> {
  interface Layer {
    readonly style?: { toJSON(): object };
  }
  const { vcs } = globalThis as unknown as {
    vcs: { getFirstApp(): { readonly layers: { getByKey(name: string): Layer | undefined } } };
  };
  const styleOf = () => JSON.stringify(vcs.getFirstApp().layers.getByKey('lamps')?.style?.toJSON());
  const before = styleOf();
  return new Promise((resolve) => {
    const look = () => {
      const now = styleOf();
      if (now === undefined || now === before) requestAnimationFrame(look);
      else requestAnimationFrame(() => requestAnimationFrame(() => resolve(Date.now())));
    };
    look();
  });
}
