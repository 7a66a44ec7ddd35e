import type { MapPluginVersion } from '@platen/contract/map-plugins';
import type { Module } from '@platen/contract/modules';
import type { Db } from '../../base/database/database.ts';
import { mapInTurns } from '../../base/map-in-turns.ts';
import type { ModuleFinding } from '../modules/findings.ts';
import { choose, explainMissing, pluginRequestOf, type PluginItem, type Refusal } from './choose.ts';
import { findPluginFiles, findPlugins, type StoredPluginFile } from './store.ts';

/** The version of each `name@range`. A release keeps it, so that its plugins never change. */
export type PluginPins = Readonly<Record<string, string>>;

interface ResolvedPlugins {
  /** For the map viewer: with the exact address of each plugin, and without those that the registry does not have. */
  readonly modules: Module[];
  readonly pins: PluginPins;
  /** Warnings about plugins that were omitted. */
  readonly warnings: ModuleFinding[];
}

const maxWarnings = 100;

/**
 * Resolves the plugins of modules for an engine version. With the pins of a release, a plugin has the pinned version
 * or none. Modules without plugins cause no database query.
 */
export async function resolvePlugins(
  db: Db,
  modules: readonly Module[],
  engineVersion: string,
  pins?: PluginPins,
): Promise<ResolvedPlugins> {
  const registry = await registryFor(db, modules);
  const used = new Map<string, string>();
  const warnings: ModuleFinding[] = [];
  const resolved = await mapInTurns([...modules.entries()], ([index, module]) => {
    if (!module.plugins?.length) return module;
    const plugins = module.plugins.flatMap((item, at) => {
      const found = findVersion(item, registry, { engineVersion, pins });
      if ('version' in found) {
        used.set(found.key, found.version);
        return [{ ...item, entry: `${pluginFolder(engineVersion, found.name, found.version)}index.js` }];
      }
      const { code, detail } = found;
      if (warnings.length < maxWarnings) warnings.push({ index, pointer: `/plugins/${at}`, code, detail });
      return [];
    });
    return { ...module, plugins };
  });
  return { modules: resolved, pins: Object.fromEntries(used), warnings };
}

/** A file that the map viewer may ask for. */
export interface ServedPluginFile extends StoredPluginFile {
  /** Absolute path of its address. */
  readonly servedPath: string;
}

/** Every file of the plugins that these modules are shown with: what a bundle of them needs. */
export async function pluginFilesOf(
  db: Db,
  modules: readonly Module[],
  engineVersion: string,
  pins?: PluginPins,
): Promise<ServedPluginFile[]> {
  const { pins: used } = await resolvePlugins(db, modules, engineVersion, pins);
  const found = new Map<string, ServedPluginFile>();
  for (const [key, version] of Object.entries(used)) {
    const name = key.slice(0, key.lastIndexOf('@'));
    for (const file of await findPluginFiles(db, name, version)) {
      const servedPath = pluginFolder(engineVersion, name, version) + file.path;
      found.set(servedPath, { ...file, servedPath });
    }
  }
  return [...found.values()];
}

/** Folder of a plugin version. Its depth matters: plugins reach ../../../assets/ from there. */
export function pluginFolder(engineVersion: string, name: string, version: string): string {
  return `/engines/${engineVersion}/plugins/${name}@${version}/`;
}

type Registry = ReadonlyMap<string, readonly MapPluginVersion[]>;

async function registryFor(db: Db, modules: readonly Module[]): Promise<Registry> {
  const requests = await mapInTurns(modules, ({ plugins = [] }) => plugins.map(pluginRequestOf));
  const names = new Set(requests.flat().flatMap((request) => ('name' in request ? [request.name] : [])));
  return names.size === 0 ? new Map() : findPlugins(db, [...names]);
}

interface PluginContext {
  readonly engineVersion: string;
  readonly pins: PluginPins | undefined;
}

function findVersion(item: PluginItem, registry: Registry, { engineVersion, pins }: PluginContext) {
  const request = pluginRequestOf(item);
  if ('code' in request) return request satisfies Refusal;
  const { name, range } = request;
  const key = `${name}@${range}`;
  const versions = registry.get(name) ?? [];
  const wanted = pins ? pinned(pins, key) : choose(versions, range, engineVersion);
  const version = versions.find((one) => one.version === wanted)?.version;
  return version === undefined ? explainMissing(request, versions, engineVersion) : { name, key, version };
}

const pinned = (pins: PluginPins, key: string) => (Object.hasOwn(pins, key) ? pins[key] : undefined);
