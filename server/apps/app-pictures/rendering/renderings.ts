import { createHash } from 'node:crypto';
import { mkdir, readdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { detectConfinement } from '@platen/confinement/confinement';
import { LRUCache } from 'lru-cache';
import type { Context } from '../../../base/context.ts';
import { previewHeight as height, previewWidth as width } from '../view.ts';
import type { RenderOrder } from './render-page.ts';
import { runBrowser } from './run-browser.ts';

/** Pictures of public apps as a browser shows them. */
export interface Renderings {
  /** The picture of this content; undefined: there is none yet, and it is made if no other waits for too long. */
  find(content: string, page: Pick<RenderOrder, 'url' | 'host' | 'port'>): Promise<Rendering | undefined>;
  stop(): void;
}
export interface Rendering {
  readonly etag: string;
  readonly png: Uint8Array;
}

const maxMs = 180_000;
const maxWaiting = 50;
const maxKept = 500;
/** A map that could not be rendered is not tried again for so long. */
const retryMs = 3_600_000;

/** @returns undefined without a browser, or a folder to keep pictures in */
export function openRenderings({ settings, log }: Pick<Context, 'settings' | 'log'>): Renderings | undefined {
  const { chromium: executable, cacheFolder } = settings;
  if (executable === undefined || cacheFolder === undefined) return undefined;
  const folder = join(cacheFolder, 'app-pictures');
  const stopped = new AbortController();
  const failed = new LRUCache<string, true>({ max: 1000, ttl: retryMs });
  const waiting = new Set<string>();
  let confinement: ReturnType<typeof detectConfinement> | undefined;
  let last = Promise.resolve();

  const render = async (name: string, order: RenderOrder): Promise<void> => {
    if (stopped.signal.aborted) return;
    const limits = await (confinement ??= detectConfinement([executable]));
    if (!limits.measures.has('ownNetwork'))
      throw new Error('This machine allows no process without a network.');
    const browser = { executable, confinement: limits };
    await keep(folder, name, await runBrowser(browser, order, stopped.signal));
  };
  const begin = (name: string, order: RenderOrder): void => {
    if (failed.has(name) || waiting.has(name) || waiting.size >= maxWaiting) return;
    waiting.add(name);
    last = last
      .then(() => render(name, order))
      .catch((error: unknown) => {
        failed.set(name, true);
        if (!stopped.signal.aborted) log.warn({ err: error, url: order.url }, 'a map could not be rendered');
      })
      .finally(() => waiting.delete(name));
  };
  return {
    async find(content, page) {
      const name = createHash('sha256').update(content).digest('hex').slice(0, 32);
      const png = await readFile(join(folder, `${name}.png`)).catch(() => undefined);
      if (png) return { etag: `"${name}"`, png };
      begin(name, { ...page, width, height, maxMs });
      return undefined;
    },
    stop: () => stopped.abort(),
  };
}

/** Keeps a picture, and the last ones besides it. */
async function keep(folder: string, name: string, png: Uint8Array): Promise<void> {
  await mkdir(folder, { recursive: true });
  const path = join(folder, name);
  await writeFile(`${path}.part`, png);
  await rename(`${path}.part`, `${path}.png`);
  const names = await readdir(folder);
  if (names.length <= maxKept) return;
  const aged = names.map(async (one) => ({ one, at: (await stat(join(folder, one))).mtimeMs }));
  const oldest = (await Promise.all(aged)).toSorted((a, b) => a.at - b.at).slice(0, names.length - maxKept);
  await Promise.all(oldest.map(({ one }) => rm(join(folder, one), { force: true })));
}
