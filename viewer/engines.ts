import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { findPackageJSON } from 'node:module';
import { dirname, join } from 'node:path';
import { compare, satisfies, validRange } from 'semver';
import manifest from './package.json' with { type: 'json' };

/** One installed version of VC Map. */
export interface Engine {
  /** A full version, as `6.3.11`. */
  readonly version: string;
  /** Absolute path of the folder to be served under `/engines/<version>/`. */
  readonly folder: string;
}

/** Each engine is a dependency of this room under a name of its own, so that several stand side by side. */
const aliasPrefix = 'vcmap-ui-';

function readEngine(alias: string): Engine | undefined {
  const path = findPackageJSON(alias, import.meta.url);
  if (path === undefined) return undefined;
  const folder = join(dirname(path), 'dist');
  if (!existsSync(join(folder, 'assets', 'ui.js'))) return undefined;
  const { version } = JSON.parse(readFileSync(path, 'utf8')) as { version: string };
  return { version, folder };
}

let installed: readonly Engine[] | undefined;

/** The engines this installation can show apps with, the newest first; read from disk once. */
export function installedEngines(): readonly Engine[] {
  installed ??= Object.keys(manifest.dependencies)
    .filter((name) => name.startsWith(aliasPrefix))
    .map(readEngine)
    .filter((engine) => engine !== undefined)
    .toSorted((one, other) => compare(other.version, one.version));
  return installed;
}

/** The newest installed engine that satisfies a semver range; `undefined` too when the range is none. */
export function findEngine(range: string): Engine | undefined {
  if (validRange(range) === null) return undefined;
  return installedEngines().find(({ version }) => satisfies(version, range));
}

/**
 * The scripts an engine's start needs, relative to its folder. They import each other in a chain;
 * a page that names them all lets the browser fetch them at once.
 */
export function engineModules(engine: Engine): string[] {
  return readdirSync(join(engine.folder, 'assets'))
    .filter((name) => /^(?:cesium|core|ol|ui|vue|vuetify)(?:-[\da-f]+)?\.js$/.test(name))
    .toSorted()
    .map((name) => `assets/${name}`);
}
