import assert from 'node:assert/strict';
import type { Browser, BrowserContext, Page } from 'playwright-core';
import { adminPassword, type RunningService } from '../processes.ts';

export interface Look {
  readonly language?: 'en' | 'de';
  readonly theme?: 'light' | 'dark';
  readonly width?: number;
  readonly height?: number;
  /** How much the editor of modules shows; everything by default. */
  readonly depth?: 'simple' | 'advanced';
}

/** The interface in a window of its own, and all that it must not do. */
export interface Interface {
  readonly page: Page;
  readonly context: BrowserContext;
  /** Number of clicks and presses of Enter or Space since the last call. */
  countedActs(): number;
  /** Asserts that nothing was logged, no policy violated and no foreign host requested since the last call. */
  assertQuiet(): void;
  /** Messages that this pattern matches are expected from now on. */
  expect(message: RegExp): void;
}

/** Opens the interface with a session, without the login page. */
export async function openInterface(
  browser: Browser,
  { url }: Pick<RunningService, 'url'>,
  { language = 'en', theme = 'light', width = 1440, height = 900, depth = 'advanced' }: Look = {},
  credentials: { username: string; password: string } | undefined = {
    username: 'admin',
    password: adminPassword,
  },
): Promise<Interface> {
  const context = await browser.newContext({
    viewport: { width, height },
    locale: language === 'de' ? 'de-DE' : 'en-GB',
    colorScheme: theme,
    reducedMotion: 'reduce',
    permissions: ['clipboard-read', 'clipboard-write'],
  });
  const page = await context.newPage();
  const said = listen(page, new URL(url).host);
  if (credentials) {
    const answer = await context.request.post(`${url}/api/v1/session`, {
      data: credentials,
      headers: { origin: url },
    });
    assert.equal(answer.status(), 201, await answer.text());
  }
  await page.addInitScript((chosen) => {
    try {
      if (localStorage.getItem('platen.moduleDepth') === null)
        localStorage.setItem('platen.moduleDepth', chosen);
    } catch {
      // frames in a sandbox have no storage
    }
  }, depth);
  let acts = 0;
  await page.exposeFunction('actCounted', () => void (acts += 1));
  await page.addInitScript(() => {
    const count = (event: Event) => event.isTrusted && (globalThis as { actCounted?(): void }).actCounted?.();
    // of the document, not the window, where the driver stops clicks on what has just moved, to repeat them
    document.addEventListener('pointerup', count, true);
    document.addEventListener(
      'keydown',
      (event) => (event.key === 'Enter' || event.key === ' ') && count(event),
      true,
    );
  });
  return {
    page,
    context,
    countedActs() {
      const before = acts;
      acts = 0;
      return before;
    },
    assertQuiet: () => assert.deepEqual(said.takeUnexpected(), []),
    expect: said.expect,
  };
}

function listen(page: Page, host: string) {
  const messages: string[] = [];
  // messages of Chromium about drawing without a graphics card, and about maps that start slowly
  const expected: RegExp[] = [/GL Driver Message/, /was preloaded using link preload but not used within/];
  page.on('console', (message) =>
    messages.push(`${message.type()}: ${message.text()} (${message.location().url})`),
  );
  page.on('pageerror', (error) => messages.push(`error: ${error.stack ?? error.message}`));
  page.on('request', (request) => {
    const { protocol, host: requestedHost } = new URL(request.url());
    if (/^(https?|wss?):$/.test(protocol) && requestedHost !== host)
      messages.push(`foreign host: ${request.url()}`);
  });
  return {
    takeUnexpected: () => messages.splice(0).filter((message) => !expected.some((one) => one.test(message))),
    expect: (pattern: RegExp) => void expected.push(pattern),
  };
}

interface VueApp {
  readonly config: {
    readonly globalProperties: { readonly $router: { push(path: string): Promise<Error | undefined> } };
  };
}

/** Follows the router, as links do, so that the interface is loaded and compiled once for all pages of a window. */
export async function goTo(page: Page, address: string): Promise<void> {
  if (page.url() === 'about:blank') {
    await page.goto(address);
    return;
  }
  await page.evaluate(async (to) => {
    const { __vue_app__ } = document.querySelector('#app') as unknown as { __vue_app__: VueApp };
    const { pathname, search } = new URL(to);
    const failure = await __vue_app__.config.globalProperties.$router.push(pathname + search);
    if (failure) throw failure;
  }, address);
}
