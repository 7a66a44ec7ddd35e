import assert from 'node:assert/strict';
import type { Browser, BrowserContext, Page } from 'playwright-core';
import { sanitiserScript } from '@platen/viewer/start-script';
import { markup, shownBy } from './testing-hostile-module.ts';
import { openMap, type EngineGlobals } from './testing-map-page.ts';

/** Stands for the scheme of links that run scripts, which the service refuses: their page gets them all the same. */
export const scriptScheme = 'https://script.invalid/';

export interface Observations {
  /** The places from which a script ran. */
  readonly ran: string[];
  /** Elements and attributes that run scripts or lead elsewhere, and have been in the page, even for a moment. */
  readonly inserted: string[];
  /** Violations that the policy of the page blocked, by directive and place. */
  readonly blocked: string[];
}

export interface Visit extends Observations {
  /** The places whose texts have been in the page, as text or in an attribute. */
  readonly visible: ReadonlySet<string>;
}

interface VisitOptions {
  /** Whether the Content-Security-Policy of the page holds. */
  readonly hasPolicy: boolean;
  /** Whether the start script contains the sanitiser. */
  readonly hasSanitiser: boolean;
  /** Whether everything expected has arrived; checked repeatedly for up to a minute. */
  readonly isEnough: (visit: Visit) => boolean;
}

const maxMs = 60_000;

/** Opens the map of hostileModule, and uses whatever can be used. */
export async function visitMap(browser: Browser, address: string, options: VisitOptions): Promise<Visit> {
  const context = await browser.newContext({
    viewport: { width: 1000, height: 800 },
    locale: 'en-GB',
    bypassCSP: !options.hasPolicy,
  });
  try {
    const reports = await observePage(context);
    await changeResponses(context, address, options);
    const page = await context.newPage();
    const dialogs: string[] = [];
    page.on('dialog', (dialog) => {
      dialogs.push(dialog.message());
      void dialog.dismiss();
    });
    await openMap(page, address);
    await page.evaluate(addSearch, markup('search result'));
    await page.waitForTimeout(500);
    const visible = new Set(await useEverything(page));
    const visit = { ...reports, visible };
    const start = performance.now();
    do {
      for (const name of shownBy) {
        await page.evaluate(selectFeature, name);
        await page.waitForTimeout(300);
        for (const id of await useEverything(page)) visible.add(id);
      }
    } while (!options.isEnough(visit) && performance.now() - start < maxMs);
    assert.deepEqual(dialogs, []);
    return visit;
  } finally {
    await context.close();
  }
}

/** Observes all pages of a context from their start. */
export async function observePage(context: BrowserContext): Promise<Observations> {
  const reports = { ran: [] as string[], inserted: [] as string[], blocked: [] as string[] };
  await context.exposeBinding('__ran', (_source, id: string) => void reports.ran.push(id));
  await context.exposeBinding('__inserted', (_source, what: string) => void reports.inserted.push(what));
  await context.exposeBinding('__blocked', (_source, what: string) => void reports.blocked.push(what));
  await context.addInitScript(reportPage);
  return reports;
}

async function changeResponses(context: BrowserContext, address: string, { hasSanitiser }: VisitOptions) {
  await context.route(
    (url) => url.host !== new URL(address).host && url.protocol.startsWith('http'),
    (route) => route.abort(),
  );
  await context.route('**/app.config.json', async (route) => {
    const response = await route.fetch();
    const body = (await response.text()).replaceAll(scriptScheme, 'javascript:');
    await route.fulfill({ response, body });
  });
  if (hasSanitiser) return;
  await context.route('**/engines/platen/start-*.js', async (route) => {
    const response = await route.fetch();
    const script = await response.text();
    const body = script.replace(sanitiserScript(), '');
    assert.notEqual(body, script);
    await route.fulfill({ response, body });
  });
}

/** Runs in the page, before all else. */
function reportPage(): void {
  if (!location.protocol.startsWith('http')) return; // the browser's own page for an error
  const { __inserted, __blocked } = globalThis as unknown as Record<string, (what: string) => void>;
  document.addEventListener('securitypolicyviolation', ({ effectiveDirective, blockedURI, sample }) => {
    __blocked!(`${effectiveDirective} ${blockedURI} ${sample}`);
  });
  const addresses = new Set(['href', 'xlink:href', 'src', 'action', 'formaction', 'data']);
  const runs = ({ name, value }: Attr) =>
    /^on[a-z]+$/.test(name) ||
    name === 'srcdoc' ||
    (addresses.has(name) && URL.parse(value, document.baseURI)?.protocol === 'javascript:');
  const hostileElements = 'body script, form[action], body base, meta[http-equiv="refresh"]';
  const check = (node: Node) => {
    if (!(node instanceof Element)) return;
    for (const element of [node, ...node.querySelectorAll('*')]) {
      const attributes = [...element.attributes].filter(runs).map(({ name, value }) => `${name}=${value}`);
      if (element.matches(hostileElements) || attributes.length > 0)
        __inserted!([element.localName, ...attributes, element.outerHTML.slice(0, 200)].join(' '));
    }
  };
  new MutationObserver((records) => {
    for (const { target, addedNodes, type } of records)
      for (const node of type === 'attributes' ? [target] : addedNodes) check(node);
  }).observe(document, { subtree: true, childList: true, attributes: true });
}

/** Runs in the page: search results are made by plugins, of what servers answer. */
function addSearch(title: string): void {
  const { vcs } = globalThis as unknown as EngineGlobals;
  const nothing = () => undefined;
  vcs.getFirstApp().search.add(
    {
      name: 'hostile',
      search: async () => [{ title, clicked: async () => undefined }],
      abort: nothing,
      destroy: nothing,
    },
    'hostile',
  );
}

/** Points at, and then presses, whatever can be pressed, and what that opens. @returns whose texts there were */
async function useEverything(page: Page): Promise<string[]> {
  const found: string[] = [];
  for (let round = 0; round < 2; round++) found.push(...(await page.evaluate(pressAll)));
  return found;
}

/** Runs in the page. */
async function pressAll(): Promise<string[]> {
  const used = ((globalThis as { __used?: WeakSet<Element> }).__used ??= new WeakSet());
  const { search, windowManager } = (globalThis as unknown as EngineGlobals).vcs.getFirstApp();
  const found = new Set<string>();
  const pause = () => new Promise((resolve) => setTimeout(resolve, 30));
  const look = () => {
    const { outerHTML } = document.documentElement;
    for (const [, id] of outerHTML.matchAll(/__ran\('([^']+) \w+'\)/g)) found.add(id!);
    for (const [, id] of outerHTML.matchAll(/([\w ]+) is shown/g)) found.add(id!.trim());
  };
  look();
  for (const element of document.querySelectorAll<HTMLElement>('a, button, .cursor-pointer')) {
    if (used.has(element)) continue;
    used.add(element);
    for (const type of ['pointerenter', 'mouseenter', 'mouseover', 'focus'])
      element.dispatchEvent(new MouseEvent(type, { bubbles: true }));
    element.click();
    await pause();
    look();
    if (!windowManager.has('searchId') || search.currentResults.value.length > 0) continue;
    await search.search('link');
    await pause();
    look();
  }
  return [...found];
}

/** Runs in the page. */
async function selectFeature(layerName: string): Promise<void> {
  const { vcs } = globalThis as unknown as EngineGlobals;
  const app = vcs.getFirstApp();
  const layer = app.layers.getByKey(layerName)!;
  await layer.activate();
  const [feature] = layer.getFeatures();
  await app.featureInfo.selectFeature(feature!, [1_200_000, 6_500_000, 0], [200, 200]);
}
