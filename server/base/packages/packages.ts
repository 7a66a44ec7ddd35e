import { createHash } from 'node:crypto';
import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { findPackageJSON } from 'node:module';
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { isTrustedFolder } from '@platen/confinement/trusted-folder';

/** What we import from packages of hundreds of small modules, which take longer to find than to run. */
export const bundledNames = ['kysely', 'typebox', 'typebox/compile', 'typebox/value'];

const noWarnings = '--disable-warning=ExperimentalWarning';
const folder = resolve(import.meta.dirname, '../../../build/packages');

/**
 * The folder with one file for each of these names, made of the packages that are installed; undefined if there is none
 * that only we or whoever installed Platen can write to.
 */
export async function findBundle(): Promise<string | undefined> {
  const path = join(folder, bundleName());
  return (await isTrustedFolder(folder)) && (await isTrustedFolder(path)) ? path : undefined;
}

export const fileOf = (name: string) => `${name.replaceAll('/', '-')}.mjs`;

/**
 * Makes the bundle if it is missing: less than a second, in a separate process. Without the bundler, which is a
 * development package, or where nothing can be written, the packages are loaded as they are.
 */
export async function bundleIfMissing(): Promise<void> {
  if ((await findBundle()) !== undefined || !canBundle()) return;
  const program = fileURLToPath(new URL('bundle.ts', import.meta.url));
  await promisify(execFile)(process.execPath, [noWarnings, program, folder, bundleName()]).catch(() => {});
}

let installedName: string | undefined;

/** Depends on the versions of the packages, which are read once. */
function bundleName(): string {
  return (installedName ??= nameOfInstalled());
}

function nameOfInstalled(): string {
  const versions = [...new Set(bundledNames.map((name) => name.split('/')[0]!))].map(
    (name) =>
      (JSON.parse(readFileSync(findPackageJSON(name, import.meta.url)!, 'utf8')) as { version: string })
        .version,
  );
  return createHash('sha256')
    .update(JSON.stringify([bundledNames, versions]))
    .digest('hex')
    .slice(0, 16);
}

function canBundle(): boolean {
  try {
    import.meta.resolve('rolldown');
    return true;
  } catch {
    return false;
  }
}
