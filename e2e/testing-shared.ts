import type { Browser, BrowserContext } from 'playwright-core';
import { afterAllFiles } from '../checks/clean-up.ts';
import { launchChromium, limitFrames } from './chromium.ts';
import { runService, type RunningService } from './processes.ts';

let service: Promise<RunningService> | undefined;
let browser: Promise<Browser> | undefined;

afterAllFiles(async () => {
  await (await browser)?.close();
  await (await service)?.stop();
});

/**
 * The service of all tests that neither end it nor need settings of their own. They make a project each, and expect
 * those of others. Nothing needs to stop it.
 */
export function sharedService(): Promise<RunningService> {
  return (service ??= runService());
}

/** Beside other tests a map without a GPU may draw a frame in seconds. */
const mapTimeoutMs = 90_000;

interface BrowserOptions {
  /** For pages with a map: without a GPU each picture costs the whole machine, so less often. */
  readonly map?: boolean | 'in frames only';
}

/** A part of the one browser of all tests: closing it closes what was opened by way of it. */
export async function sharedBrowser(
  executablePath: string,
  { map = false }: BrowserOptions = {},
): Promise<Browser> {
  const real = await (browser ??= launchChromium(executablePath));
  const contexts = new Set<BrowserContext>();
  const part = Object.create(real) as Browser;
  part.newContext = async (options) => {
    const context = await real.newContext(options);
    contexts.add(context);
    context.once('close', () => contexts.delete(context));
    if (map) {
      context.setDefaultTimeout(mapTimeoutMs);
      await limitFrames(context, { inFrames: map === 'in frames only' });
    }
    return context;
  };
  part.close = async () => {
    await Promise.all([...contexts].map((context) => context.close()));
  };
  return part;
}
