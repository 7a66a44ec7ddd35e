import { existsSync, readFileSync } from 'node:fs';
import { findPackageJSON } from 'node:module';
import { dirname, join } from 'node:path';
import { compare, satisfies, validRange } from 'semver';
import manifest from './package.json' with { type: 'json' };

/** One installed version of VC Map. */
export interface Engine {
  /** Full version, such as `6.3.11`. */
  readonly version: string;
  /** Absolute path of the folder to be served under `/engines/<version>/`. */
  readonly folder: string;
}

/** Each engine is an aliased dependency, so that several versions can be installed side by side; only builds need them. */
const aliasPrefix = 'vcmap-ui-';

/** `npm run build` puts copies here, for installations without the packages. */
export const builtFolder = join(import.meta.dirname, '../build/engines');

function readEngine(manifestPath: string): Engine | undefined {
  const folder = join(dirname(manifestPath), 'dist');
  if (!existsSync(join(folder, 'assets', 'ui.js'))) return undefined;
  const { version } = JSON.parse(readFileSync(manifestPath, 'utf8')) as { version: string };
  return { version, folder };
}

const aliases = Object.keys(manifest.devDependencies).filter((name) => name.startsWith(aliasPrefix));

/** The engines whose packages are installed, with the names of these. */
export function packagedEngines(): (Engine & { readonly alias: string })[] {
  return aliases.flatMap((alias) => {
    const path = findManifest(alias);
    const engine = path === undefined ? undefined : readEngine(path);
    return engine ? [{ alias, ...engine }] : [];
  });
}

/** undefined where the package is not installed. */
function findManifest(name: string): string | undefined {
  try {
    return findPackageJSON(name, import.meta.url);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ERR_MODULE_NOT_FOUND') return undefined;
    throw error;
  }
}

let installed: readonly Engine[] | undefined;

/** The installed engines, newest first; read from disk once. */
export function installedEngines(): readonly Engine[] {
  installed ??= findEngines();
  return installed;
}

/** A package counts more than its copy, which may be of another version. */
export function findEngines({ built = builtFolder, packaged = packagedEngines() } = {}): Engine[] {
  const copied = aliases
    .filter((alias) => !packaged.some((engine) => engine.alias === alias))
    .map((alias) => join(built, alias, 'package.json'))
    .filter((path) => existsSync(path))
    .map(readEngine)
    .filter((engine) => engine !== undefined);
  return [...packaged.map(({ version, folder }) => ({ version, folder })), ...copied].toSorted((one, other) =>
    compare(other.version, one.version),
  );
}

/** The newest installed engine that satisfies a semver range; undefined also for an invalid range. */
export function findEngine(range: string): Engine | undefined {
  if (validRange(range) === null) return undefined;
  return installedEngines().find(({ version }) => satisfies(version, range));
}

/** Files that a page needs before its engine can start, relative to the engine's folder. */
interface StartFiles {
  readonly scripts: readonly string[];
  readonly styles: readonly string[];
}

const startFiles = new Map<string, StartFiles>();

/**
 * The scripts that an engine needs to start. They import each other in a chain; preloading all of them lets the
 * browser fetch them in parallel. start.ts and plugins import core.js, start.ts cesium.js.
 */
export function engineModules(engine: Engine): readonly string[] {
  return startFilesOf(engine).scripts;
}

/** The style sheets that these scripts wait for. */
export function engineStyles(engine: Engine): readonly string[] {
  return startFilesOf(engine).styles;
}

/** Found by following imports, as file names differ between versions. Read from disk once. */
function startFilesOf({ version, folder }: Engine): StartFiles {
  const known = startFiles.get(version);
  if (known) return known;
  const assets = join(folder, 'assets');
  const scripts = new Set<string>();
  const styles = new Set<string>();
  const follow = (name: string) => {
    if (scripts.has(name) || !existsSync(join(assets, name))) return;
    scripts.add(name);
    const source = readFileSync(join(assets, name), 'latin1');
    for (const [, imported] of source.matchAll(/(?:from|import)\s*["']\.\/([\w.-]+\.js)["']/g))
      follow(imported!);
    for (const [, style] of source.matchAll(/loadCss\('\.\/([\w@./-]+\.css)'\)/g)) styles.add(style!);
  };
  for (const name of ['ui.js', 'core.js', 'cesium.js']) follow(name);
  const found = { scripts: [...scripts].map((name) => `assets/${name}`), styles: [...styles] };
  startFiles.set(version, found);
  return found;
}
