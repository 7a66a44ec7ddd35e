import { mkdir, open, readFile, rename, rm } from 'node:fs/promises';
import { availableParallelism, loadavg } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { brotliDecompress, gunzip } from 'node:zlib';
import type { Logger } from 'pino';
import { hotBytesCache } from '../../datasources/serving/hot-bytes.ts';
import { compressBest } from './compress-best.ts';
import { compressQuickly, type Encoding } from './compressed.ts';
import type { WebFile } from './web-file.ts';

/** The start files of three engines, in each encoding that browsers request, take about half of it. */
const limitBytes = 96 * 1024 * 1024;
const maxRangeBytes = 8 * 1024 * 1024;

const decompress = { br: promisify(brotliDecompress), gzip: promisify(gunzip) };

/** The bytes of files as they are sent. */
export interface CompressedForms {
  /** The file as it is if no encoding is given. A quickly compressed form is sent until the best one is ready. */
  of(file: WebFile, encoding: Encoding | undefined): Promise<Uint8Array>;
  /** Resolves when the best forms of all requested files are on disk. */
  settled(): Promise<void>;
  stop(): void;
}

interface Options {
  /** Folder that keeps the best forms across starts; undefined: only quick forms are made. */
  readonly folder: string | undefined;
  /** Folder with best forms that a build has made. */
  readonly built?: string;
  readonly log: Pick<Logger, 'warn'>;
  /** Idle time without a quick compression before the best forms are made, and between looks at a busy machine. */
  readonly quietMs?: number;
  /** Whether the machine has other work: the best forms wait. */
  readonly isBusy?: () => boolean;
}

/**
 * Keeps recently requested files in memory. The best form of a file takes seconds of computing, so a low-priority
 * process makes it once, one file after the other, and the folder keeps it.
 */
export function keepCompressed({
  folder,
  built,
  log,
  quietMs = 60_000,
  isBusy = isMachineBusy,
}: Options): CompressedForms {
  const hot = hotBytesCache({ limitBytes, maxRangeBytes });
  const underWay = new Map<string, Promise<Uint8Array>>();
  const wanted = new Map<string, { file: WebFile; encoding: Encoding; path: string }>();
  const stopping = new AbortController();
  let timer: NodeJS.Timeout | undefined;
  let making: Promise<void> | undefined;

  const once = (key: string, make: () => Promise<Uint8Array>) => {
    const known = hot.get(key);
    if (known) return known;
    const begun = underWay.get(key);
    if (begun) return begun;
    const made = make().finally(() => underWay.delete(key));
    underWay.set(key, made);
    made.then(
      (bytes) => hot.set(key, bytes),
      () => {},
    );
    return made;
  };

  const compressed = async (file: WebFile, encoding: Encoding, name: string) => {
    const path = folder === undefined ? undefined : join(folder, name);
    for (const place of [built === undefined ? undefined : join(built, name), path]) {
      const kept = place === undefined ? undefined : await readForm(place, file, encoding);
      if (kept) return kept;
    }
    const quick = await compressQuickly(await file.read(), encoding);
    if (path !== undefined && !stopping.signal.aborted) {
      wanted.set(name, { file, encoding, path });
      waitForQuiet();
    }
    return quick;
  };

  const waitForQuiet = () => {
    clearTimeout(timer);
    timer = setTimeout(() => (making ??= makeBest().finally(() => (making = undefined))), quietMs).unref();
  };

  async function makeBest(): Promise<void> {
    for (const [name, { file, encoding, path }] of wanted) {
      if (stopping.signal.aborted) return;
      if (isBusy()) return waitForQuiet();
      try {
        const best = await compressBest(await file.read(), encoding, stopping.signal);
        await writeWhole(path, best);
        hot.set(`best ${name}`, best);
      } catch (error) {
        if (!stopping.signal.aborted)
          log.warn({ err: error, path }, 'cannot compress a file at the best level');
      }
      wanted.delete(name);
    }
  }

  return {
    async of(file, encoding) {
      if (encoding === undefined) return once(file.id, () => file.read());
      const name = `${file.id}.${encoding}`;
      return hot.get(`best ${name}`) ?? once(name, () => compressed(file, encoding, name));
    },
    async settled() {
      while (wanted.size > 0 && !stopping.signal.aborted) {
        await new Promise((resolve) => setTimeout(resolve, 20));
      }
    },
    stop() {
      clearTimeout(timer);
      stopping.abort();
    },
  };
}

/** More processes wanted to run during the last minute than there are cores. Never on Windows, which does not count. */
function isMachineBusy(): boolean {
  return loadavg()[0]! > availableParallelism();
}

/** Ignores a form that is damaged, for example after a crash. */
async function readForm(path: string, { bytes }: WebFile, encoding: Encoding): Promise<Buffer | undefined> {
  try {
    const form = await readFile(path);
    const content = await decompress[encoding](form, { maxOutputLength: bytes + 1 });
    if (content.length === bytes) return form;
  } catch {
    // compressed again on the next request
  }
  return undefined;
}

/** Never leaves a half-written file at this path. */
export async function writeWhole(path: string, bytes: Uint8Array): Promise<void> {
  await mkdir(join(path, '..'), { recursive: true });
  const draft = `${path}.${process.pid}`;
  const file = await open(draft, 'w');
  try {
    await file.writeFile(bytes);
    await file.sync();
  } catch (error) {
    await rm(draft, { force: true });
    throw error;
  } finally {
    await file.close();
  }
  await rename(draft, path);
}
