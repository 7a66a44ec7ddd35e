import { randomUUID } from 'node:crypto';
import { lstat, readdir, readFile, rename, rm, utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { processState, processIdentity, type ProcessIdentity } from '../scratch/process-identity.ts';

/**
 * The identity of a runner, stored with its token in the scratch folder, so that it enrols only once. Runners that
 * share the folder have a file each, and adopt an unused one by renaming it.
 */
export interface Identity {
  readonly url: string;
  readonly name: string;
  readonly token: string;
}

interface StoredIdentity extends Identity {
  /** The process that uses it; absent if unused. */
  readonly life?: ProcessIdentity;
}

const pattern = /^\.runner-[\da-f-]{36}\.json$/;
const touchEveryMs = 30_000;
/** Files in use are touched more often than this, even by processes that are not visible here. */
const abandonedAfterMs = 120_000;

/** An identity file that this process uses. */
export interface IdentityFile {
  readonly identity: Identity;
  /** Removes the file, as its token is no longer valid. */
  remove(): Promise<void>;
  /** Lets other runners adopt it. */
  release(): Promise<void>;
}

interface IdentityFilter {
  readonly url: string;
  /** undefined: any. */
  readonly name: string | undefined;
}

/** Adopts an identity that no running process uses. */
export async function adoptIdentity(
  folder: string,
  { url, name }: IdentityFilter,
): Promise<IdentityFile | undefined> {
  for (const file of (await readdir(folder)).filter((entry) => pattern.test(entry))) {
    const path = join(folder, file);
    const kept = await readStored(path);
    if (!kept || kept.url !== url || (name !== undefined && kept.name !== name)) continue;
    if (!(await isFree(path, kept, name !== undefined))) continue;
    const own = join(folder, `.runner-${randomUUID()}.json`);
    const isTaken = await rename(path, own).then(
      () => true,
      () => false, // another process was first
    );
    if (isTaken) return use(own, kept);
  }
  return undefined;
}

export async function storeIdentity(folder: string, identity: Identity): Promise<IdentityFile> {
  return use(join(folder, `.runner-${randomUUID()}.json`), identity);
}

/** A name set by the operator belongs to one runner only. */
async function isFree(path: string, { life }: StoredIdentity, isNamed: boolean): Promise<boolean> {
  if (!life) return true;
  const state = await processState(life);
  if (state !== 'unknown') return state === 'dead';
  const stats = await lstat(path).catch(() => undefined);
  return stats !== undefined && (isNamed || Date.now() - stats.mtimeMs > abandonedAfterMs);
}

async function use(path: string, { url, name, token }: Identity): Promise<IdentityFile> {
  const identity = { url, name, token };
  const life = await processIdentity(process.pid);
  await write(path, { ...identity, ...(life && { life }) });
  const timer = setInterval(() => {
    const now = new Date();
    void utimes(path, now, now).catch(() => {});
  }, touchEveryMs).unref();
  return {
    identity,
    async remove() {
      clearInterval(timer);
      await rm(path, { force: true });
    },
    async release() {
      clearInterval(timer);
      await write(path, identity);
    },
  };
}

async function write(path: string, kept: StoredIdentity): Promise<void> {
  const draft = `${path}.${process.pid}`;
  await writeFile(draft, JSON.stringify(kept), { mode: 0o600 });
  await rename(draft, path);
}

/** Ignores files that other users have written or could read. */
async function readStored(path: string): Promise<StoredIdentity | undefined> {
  const stats = await lstat(path).catch(() => undefined);
  const isOwn =
    process.getuid === undefined || (stats?.uid === process.getuid() && (stats.mode & 0o077) === 0);
  if (!stats?.isFile() || !isOwn) return undefined;
  try {
    return JSON.parse(await readFile(path, 'utf8')) as StoredIdentity;
  } catch {
    return undefined;
  }
}
