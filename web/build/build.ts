import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, globSync, readFileSync } from 'node:fs';
import { rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

const root = fileURLToPath(new URL('..', import.meta.url));
const repository = join(root, '..');
const dist = join(root, 'dist');
const stampFile = join(dist, '.stamp');

/** What the interface is made of: when any of it differs, it is built anew. */
const sources = [
  'web/**/*.{ts,vue,css,json,html,svg,js,woff2}',
  'contract/*.ts',
  'client/*.ts',
  'viewer/{engine-names,name-references}.ts',
  'package-lock.json',
];
const excluded = ['web/dist/**', 'web/dist-*/**', 'web/node_modules/**', 'web/**/*.{test,component}.ts'];

/**
 * Builds the web interface into `web/dist` unless what lies there was made of the same sources: some seconds, in a process
 * of its own. What was there stays in use until the new one is whole.
 * @param say told when it takes a while
 * @throws Error with what the builder said
 */
export async function buildIfStale(say: (line: string) => void): Promise<void> {
  if (isBuilt(stampOf())) return;
  say('Building the web interface …');
  await promisify(execFile)(process.execPath, [fileURLToPath(import.meta.url)]);
}

async function buildNow(): Promise<void> {
  const stamp = stampOf();
  if (isBuilt(stamp)) return;
  const { build } = await import('vite');
  const folder = join(root, `dist-${process.pid}`);
  try {
    await build({
      configFile: join(root, 'build/vite.config.ts'),
      configLoader: 'native',
      logLevel: 'warn',
      build: { outDir: folder, emptyOutDir: true },
    });
    await writeFile(join(folder, '.stamp'), stamp);
    await replaceBy(folder, stamp);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

const isBuilt = (stamp: string) => existsSync(stampFile) && readFileSync(stampFile, 'utf8') === stamp;

async function replaceBy(folder: string, stamp: string): Promise<void> {
  const old = `${folder}-old`;
  try {
    await rename(dist, old).catch(() => {}); // there was none
    await rename(folder, dist);
  } catch (error) {
    if (!isBuilt(stamp)) throw error; // another process was quicker, with the same
  } finally {
    await rm(old, { recursive: true, force: true });
  }
}

function stampOf(): string {
  const hash = createHash('sha256');
  const files = sources.flatMap((pattern) => globSync(pattern, { cwd: repository, exclude: excluded }));
  for (const file of files.toSorted()) hash.update(`${file}\0`).update(readFileSync(join(repository, file)));
  return hash.digest('hex');
}

if (import.meta.main) await buildNow();
