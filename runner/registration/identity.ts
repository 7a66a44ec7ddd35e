import { randomUUID } from 'node:crypto';
import { lstat, readdir, readFile, rename, rm, utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { processState, processIdentity, type ProcessIdentity } from '../scratch/process-identity.ts';

/**
 * Who a runner is, kept in its scratch folder with its token, so that it need not enrol again. Of several runners that share the
 * folder each has a file of its own: it takes one that nobody uses by renaming it.
 */
export interface Identity {
  readonly url: string;
  readonly name: string;
  readonly token: string;
}

interface StoredIdentity extends Identity {
  /** Who uses it; absent: nobody. */
  readonly life?: ProcessIdentity;
}

const pattern = /^\.runner-[\da-f-]{36}\.json$/;
const touchEveryMs = 30_000;
/** Whoever uses it says so more often, but may live where we do not see it. */
const abandonedAfterMs = 120_000;

/** Ours to keep, from now on. */
export interface IdentityFile {
  readonly identity: Identity;
  /** It leads nowhere any more. */
  remove(): Promise<void>;
  /** Others may take it. */
  release(): Promise<void>;
}

interface IdentityFilter {
  readonly url: string;
  /** undefined: any. */
  readonly name: string | undefined;
}

/** Who we were before, where nobody else is that by now. */
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
      () => false, // another was first
    );
    if (isTaken) return use(own, kept);
  }
  return undefined;
}

export async function storeIdentity(folder: string, identity: Identity): Promise<IdentityFile> {
  return use(join(folder, `.runner-${randomUUID()}.json`), identity);
}

/** Whoever has been given a name by hand is the only one of that name. */
async function isFree(path: string, { life }: StoredIdentity, isNamed: boolean): Promise<boolean> {
  if (!life) return true;
  const fate = await processState(life);
  if (fate !== 'unknown') return fate === 'dead';
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

/** What somebody else has put there, or could have read, is none. */
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
