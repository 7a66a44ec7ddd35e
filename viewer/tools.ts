import { existsSync, readFileSync } from 'node:fs';
import { findPackageJSON } from 'node:module';
import { dirname, join } from 'node:path';
import { toolNames, type ToolName } from '@platen/contract/tools';
import { satisfies } from 'semver';
import { placesFile } from './places-file.ts';

/** All but the search, which is a part of our own script. */
type PluginTool = Exclude<ToolName, 'search'>;

/** An installed plugin of VC Map that is one of our tools. */
export interface Tool {
  readonly name: PluginTool;
  /** Name of its package, which is its name as a plugin. */
  readonly plugin: string;
  readonly version: string;
  /** As in its package.json, such as MIT. */
  readonly license: string;
  /** Semver range of the engines that it runs on. */
  readonly mapVersion: string;
  /** Absolute path of the folder that has the folders `dist` and perhaps `plugin-assets`. */
  readonly folder: string;
}

const plugins: Readonly<Record<PluginTool, string>> = {
  measurement: '@vcmap/measurement',
  draw: '@vcmap/draw',
  heightProfile: '@vcmap/height-profile',
  shadow: '@vcmap/shadow',
  swipe: '@vcmap/swipe-tool',
  multiView: '@vcmap/multi-view',
  print: '@vcmap/print',
  createLink: '@vcmap/create-link',
};

const pluginTools = toolNames.filter((name) => name !== 'search');

/** The folders of a package whose files are served. */
export const servedFolders = ['dist', 'plugin-assets'] as const;

/** `npm run build` puts copies here, for installations without the packages. */
export const builtToolsFolder = join(import.meta.dirname, '../build/tools');

function readTool(name: PluginTool, manifestPath: string): Tool | undefined {
  const folder = dirname(manifestPath);
  if (!existsSync(join(folder, 'dist', 'index.js'))) return undefined;
  const { version, license, mapVersion } = JSON.parse(readFileSync(manifestPath, 'utf8')) as Tool;
  return { name, plugin: plugins[name], version, license, mapVersion, folder };
}

/** The tools whose packages are installed. */
export function packagedTools(): Tool[] {
  return pluginTools.flatMap((name) => {
    const path = findManifest(plugins[name]);
    return (path === undefined ? undefined : readTool(name, path)) ?? [];
  });
}

/** undefined where the package is not installed. */
function findManifest(plugin: string): string | undefined {
  try {
    return findPackageJSON(plugin, import.meta.url);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ERR_MODULE_NOT_FOUND') return undefined;
    throw error;
  }
}

let installed: readonly Tool[] | undefined;

/** The installed tools in the order of their buttons; read from disk once. */
export function installedTools(): readonly Tool[] {
  installed ??= findTools();
  return installed;
}

/** A package counts more than its copy, which may be of another version. */
export function findTools({ built = builtToolsFolder, packaged = packagedTools() } = {}): Tool[] {
  return pluginTools.flatMap((name) => {
    const path = join(built, name, 'package.json');
    const found = packaged.find((tool) => tool.name === name);
    return found ?? (existsSync(path) ? readTool(name, path) : undefined) ?? [];
  });
}

/** The plugins that run on an engine. */
export function toolsOf(engineVersion: string): Tool[] {
  return installedTools().filter(({ mapVersion }) => satisfies(engineVersion, mapVersion));
}

/** The names of the tools that an engine supports: the search on all, and the plugins that run on it. */
export function toolNamesOf(engineVersion: string): ToolName[] {
  return ['search', ...toolsOf(engineVersion).map(({ name }) => name)];
}

/** Folder of a tool below an engine: as deep as plugins expect, which reach ../../../assets/ from there. */
export function toolFolder(engineVersion: string, { name, version }: Tool): string {
  return `/engines/${engineVersion}/plugins/tools/${name}@${version}/`;
}

/**
 * The VC Map module with these tools, as far as they run on the engine; undefined if none does.
 * @param others plugins that the app has by itself, which are not loaded twice
 */
export function toolsModule(
  names: readonly ToolName[],
  engineVersion: string,
  others: ReadonlySet<unknown> = new Set(),
) {
  const plugins = toolsOf(engineVersion)
    .filter(({ name, plugin }) => names.includes(name) && !others.has(plugin))
    .map((tool) => ({ name: tool.plugin, entry: `${toolFolder(engineVersion, tool)}index.js` }));
  const hasSearch = names.includes('search');
  if (plugins.length === 0 && !hasSearch) return undefined;
  // start.ts reads it
  const properties = hasSearch ? { placeSearch: placesFile().name } : {};
  return { _id: 'platen-tools', name: 'platen-tools', properties, layers: [], plugins };
}
