import { existsSync } from 'node:fs';
import { chromium, type Browser, type BrowserContext } from 'playwright-core';

const candidates = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome'];

/** The installed browser; undefined if there is none, which is an error in CI. */
export function findChromium(): string | undefined {
  const found = [process.env['PLATEN_CHROMIUM'] ?? '', ...candidates].find(
    (path) => path !== '' && existsSync(path),
  );
  if (found === undefined && process.env['CI'] === 'true') throw new Error(howToGetIt);
  return found;
}

export const howToGetIt =
  'No Chromium was found. Get it with “apt-get install chromium”, or name it in PLATEN_CHROMIUM.';

/** Headless, without a GPU, and without asking any host of its own accord. */
export function launchChromium(executablePath: string, more: readonly string[] = []): Promise<Browser> {
  return chromium.launch({
    executablePath,
    args: [
      '--no-sandbox',
      '--disable-gpu',
      '--use-angle=swiftshader',
      '--enable-unsafe-swiftshader',
      '--disable-quic',
      '--no-first-run',
      '--disable-background-networking',
      '--disable-component-update',
      '--disable-sync',
      ...more,
    ],
  });
}

/**
 * For pages with a map, which draws as often as it can, without a GPU by the whole machine: fewer pictures a second.
 * `inFrames` slows down those maps alone that are a page within the page.
 */
export function limitFrames(context: BrowserContext, { inFrames = false } = {}): Promise<unknown> {
  return context.addInitScript(delayFrames, { pauseMs: 250, inFrames });
}

/** Runs in the page, before all else: every frame waits. */
function delayFrames({ pauseMs, inFrames }: { pauseMs: number; inFrames: boolean }): void {
  if (inFrames && globalThis.top === globalThis.self) return;
  const request = globalThis.requestAnimationFrame.bind(globalThis);
  const cancel = globalThis.cancelAnimationFrame.bind(globalThis);
  const requested = new Map<number, number>();
  globalThis.requestAnimationFrame = (callback) => {
    const id = Number(
      setTimeout(() => {
        const draw = (time: number) => {
          requested.delete(id);
          callback(time);
        };
        requested.set(id, request(draw));
      }, pauseMs),
    );
    return id;
  };
  globalThis.cancelAnimationFrame = (id) => {
    clearTimeout(id);
    const own = requested.get(id);
    requested.delete(id);
    if (own !== undefined) cancel(own);
  };
}
