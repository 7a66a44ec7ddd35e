import type { MapPluginVersion } from '@platen/contract/map-plugins';
import { maxSatisfying, validRange } from 'semver';
import { runsOn } from './runs-on.ts';

type Versions = readonly Pick<MapPluginVersion, 'version' | 'mapVersion'>[];

/** An item of a module's `plugins`. */
export type PluginItem = Readonly<Record<string, unknown>>;

/** The reason why a plugin is omitted, and what to do. */
export interface Refusal {
  readonly code: 'pluginName' | 'pluginEntry' | 'pluginVersion' | 'pluginMissing';
  readonly detail: string;
}

/** The package and version range that an item requests. */
interface PluginRequest {
  readonly name: string;
  readonly range: string;
}

/** A version range of a megabyte takes half a second to read. */
export const maxRangeLength = 100;

/** Plugin code only comes from the registry: an item with another address is rejected, not redirected. */
export function pluginRequestOf({ name, entry, version }: PluginItem): PluginRequest | Refusal {
  if (typeof name !== 'string' || name === '')
    return {
      code: 'pluginName',
      detail: 'The plugin has no name and is left out. Give it the name of its package.',
    };
  const isAsked = version !== undefined && version !== null && version !== '';
  const named = entry === undefined || entry === '' ? {} : readEntry(entry, name);
  if (!named)
    return {
      code: 'pluginEntry',
      detail: `The entry of ${shown(name)} does not point to the plugin registry, so the plugin is left out. Remove the entry, and have the package uploaded if the registry does not have it.`,
    };
  const range = isAsked ? version : (named.version ?? '*');
  if (typeof range !== 'string' || range.length > maxRangeLength || validRange(range) === null)
    return {
      code: 'pluginVersion',
      detail: `The version of ${shown(name)} is not a semver range, so the plugin is left out. Use a range such as ^2.0.`,
    };
  return { name, range };
}

/** `plugins/<name>/index.js`, as map viewers write it, or our own address of it, with or without a version. */
function readEntry(entry: unknown, name: string): { version?: string } | undefined {
  if (typeof entry !== 'string') return undefined;
  const [path = ''] = entry.split('?');
  const below = path.replace(/^\.?\//, '').replace(/^engines\/[\w.-]+\//, '');
  const prefix = `plugins/${name}`;
  if (!below.startsWith(prefix)) return undefined;
  const [isOurs, version] = /^(?:@([\w.-]+))?\/index\.js$/.exec(below.slice(prefix.length)) ?? [];
  if (isOurs === undefined) return undefined;
  return version === undefined ? {} : { version };
}

/** The highest version in the range that runs on the engine. */
export function choose(versions: Versions, range: string, engineVersion: string): string | undefined {
  const fitting = versions.filter(({ mapVersion }) => runsOn(engineVersion, mapVersion));
  return (
    maxSatisfying(
      fitting.map(({ version }) => version),
      range,
    ) ?? undefined
  );
}

/** Explains why no version fits a request. */
export function explainMissing(
  { name, range }: PluginRequest,
  versions: Versions,
  engineVersion: string,
): Refusal {
  if (versions.length === 0)
    return {
      code: 'pluginMissing',
      detail: `${shown(name)} is not in the plugin registry, so it is left out. Have its package uploaded.`,
    };
  const there = versions.slice(0, 10).map(({ version, mapVersion }) => `${version} (for ${mapVersion})`);
  return {
    code: 'pluginVersion',
    detail: `${shown(name)} is left out because no version in ${range.slice(0, 100)} runs on map viewer ${engineVersion}. Available versions: ${there.join(', ')}.`,
  };
}

/** Names come from modules, in which anything may stand. */
const shown = (name: string) => `“${name.slice(0, 100)}”`;
