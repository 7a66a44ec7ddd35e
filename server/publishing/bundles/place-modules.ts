import type { Module } from '@platen/contract/modules';
import { moduleServiceSet } from '@platen/contract/modules';
import type { FreeForm } from '@platen/contract/schema';
import { baseMapModuleId } from '../../apps/base-maps/base-map-module.ts';
import type { StoryStep } from '@platen/contract/stories';
import { compileModule, type AddressOf } from '../../apps/compile.ts';
import { createDefaults } from '../../apps/layer-defaults.ts';
import { datasourceReferences } from '../../apps/modules/references.ts';
import { escapePointer } from '../../base/pointer.ts';
import { namesFile, type SearchedNames } from './names.ts';
import { layoutOf, reasonToLeaveOut, startOf, startWithin } from './datasource-part.ts';
import type { BundleSource } from './sources.ts';
import { withoutSecrets } from './without-secrets.ts';

export interface PlacedModules {
  readonly modules: readonly FreeForm[];
  /** JSON pointers, within the modules, to all addresses that are relative to the folder of the bundle. */
  readonly addresses: readonly string[];
  /** Lists of names that the modules lead to, by their paths in the bundle. */
  readonly names: ReadonlyMap<string, SearchedNames>;
  /** One sentence for each omission. */
  readonly notes: readonly string[];
}

/** The folder of a source in a bundle; each revision has its own, so that they never mix. */
export const folderOfSource = ({ _id, revision }: BundleSource) => `data/${_id}/~${revision}/`;

/** Whether its files are in the bundle. */
export const isHeld = (source: BundleSource) =>
  source.sourceProperties.type !== 'external' && reasonToLeaveOut(source) === undefined;

/** The modules for a bundle: addresses of data lead to its folder in the bundle. @param world precedes the others */
export function placeModules(
  modules: readonly FreeForm[],
  sources: readonly BundleSource[],
  world?: FreeForm,
): PlacedModules {
  const byId = new Map(sources.map((source) => [source._id, source]));
  const notes: string[] = [];
  const names = new Map<string, SearchedNames>();
  const marker = unusedText(modules);
  const defaultsOf = createDefaults();
  const addressOf: AddressOf = (id) => {
    const source = byId.get(id);
    if (!source) return undefined;
    const base = `/data/${id}`;
    const { sourceProperties } = source;
    if (sourceProperties.type === 'external') {
      const { url } = sourceProperties;
      return { base, servedAt: base, url, defaults: defaultsOf(source, url) };
    }
    const folder = marker + folderOfSource(source);
    const url = withoutSlash(folder + startOf(source));
    const namesBy = (attribute: string) => {
      const file = namesFile({ source, attribute });
      if (file === undefined) return undefined;
      names.set(folderOfSource(source) + file, { source, attribute });
      return folder + file;
    };
    return { base, servedAt: folder.slice(0, -1), url, defaults: defaultsOf(source, url), namesBy };
  };
  const compiled = modules.map((module) => compileModule(withoutAbsent(module, byId, notes), addressOf));
  const addresses: string[] = [];
  const place = (text: string, pointer: string): string => {
    const placed = placeText(text, marker, byId);
    if (placed === undefined) {
      if (isOfService(text, pointer))
        notes.push(`The data at ${withoutSecrets(text)} of the original service.`);
      return withoutSecrets(text);
    }
    addresses.push(pointer);
    return placed;
  };
  const own = compiled.map((module) => placePlugins(module, marker));
  const all = world === undefined ? own : [world, ...own].map((module) => placeWorld(module, marker));
  const placed = all.map((module, i) => mapTexts(module, `/modules/${i}`, place) as FreeForm);
  return { modules: placed, addresses, names, notes };
}

/** Addresses of folders or templates are compared without the final slash, because terrain has none. */
const withoutSlash = (address: string) => address.replace(/\/$/, '');

/** Removes author and time stamps. */
export function withoutStamps(module: Module): FreeForm {
  const kept = ([key]: [string, unknown]) => key === '_id' || !moduleServiceSet.includes(key);
  return Object.fromEntries(Object.entries(module).filter(kept));
}

/** A marker that does not occur in the modules; it distinguishes our addresses from text that users entered. */
function unusedText(modules: readonly FreeForm[]): string {
  const used = new Set<string>();
  for (const [word] of JSON.stringify(modules).matchAll(/bundle-\d+:/g)) used.add(word);
  for (let n = 0; ; n++) if (!used.has(`bundle-${n}:`)) return `bundle-${n}:`;
}

/** Replaces an address of ours by the one in the bundle. */
function placeText(
  text: string,
  marker: string,
  sources: ReadonlyMap<string, BundleSource>,
): string | undefined {
  if (!text.startsWith(marker)) return undefined;
  const path = text.slice(marker.length);
  const [, folder = '', id = '', rest] = /^(data\/([^/]+)\/~\d+\/)(.*)$/s.exec(path) ?? [];
  const source = sources.get(id);
  return rest === undefined || !source ? path : withoutSlash(folder + startWithin(source, rest));
}

/** A user entered an address of this service without naming the datasource. */
const isOfService = (text: string, pointer: string) => pointer.endsWith('/url') && text.startsWith('/data/');

const ownModules = new Set<unknown>([baseMapModuleId, 'platen-world']);

/** Only our own modules name tiles of the world. */
function placeWorld(world: FreeForm, marker: string): FreeForm {
  if (!ownModules.has(world['_id'])) return world;
  const isOwn = (text: string) => text.startsWith('/basemap/');
  return mapTexts(world, '', (text) => (isOwn(text) ? marker + text.slice(1) : text)) as FreeForm;
}

/** Plugins of the registry have the same paths in the bundle as in the service. */
function placePlugins(module: Module, marker: string): Module {
  if (!module.plugins) return module;
  const plugins = module.plugins.map((plugin) => {
    const { entry } = plugin;
    const isOurs = typeof entry === 'string' && entry.startsWith('/engines/');
    return isOurs ? Object.assign({}, plugin, { entry: marker + entry.slice(1) }) : plugin;
  });
  return { ...module, plugins };
}

type Json = Record<string, unknown>;

/** Layers whose data is not in the bundle would only fail. */
function withoutAbsent(
  module: FreeForm,
  sources: ReadonlyMap<string, BundleSource>,
  notes: string[],
): Module {
  const isComplete = (list: 'layers' | 'obliqueCollections' | 'story') => (item: Json) => {
    for (const { datasourceId } of datasourceReferences({ [list]: [item] })) {
      const source = typeof datasourceId === 'string' ? sources.get(datasourceId) : undefined;
      const reason = source ? reasonToLeaveOut(source) : 'Its datasource no longer exists.';
      if (reason === undefined) continue;
      notes.push(`“${nameOf(item)}” of the module “${nameOf(module)}” is left out. ${reason}`);
      return false;
    }
    return true;
  };
  const withoutAbsentPicture = ({ picture, ...step }: StoryStep): StoryStep =>
    picture && isComplete('story')({ name: step.title, ...picture }) ? { ...step, picture } : step;
  const { layers, obliqueCollections, story } = module as unknown as Module;
  return {
    ...(module as unknown as Module),
    layers: layers.filter(isComplete('layers')).map((layer) => withEnding(layer, sources)),
    ...(obliqueCollections && {
      obliqueCollections: obliqueCollections.filter(isComplete('obliqueCollections')),
    }),
    ...(story && { story: { ...story, steps: story.steps.map(withoutAbsentPicture) } }),
  };
}

const nameOf = ({ name }: Json) => (typeof name === 'string' ? name : '');

/** A TMS is asked for by an ending of the layer's own, and here tiles are files of one. */
function withEnding(layer: FreeForm, sources: ReadonlyMap<string, BundleSource>): FreeForm {
  const { type, datasourceId } = layer;
  const source = typeof datasourceId === 'string' ? sources.get(datasourceId) : undefined;
  if (type !== 'TMSLayer' || !source || !isHeld(source)) return layer;
  return ['pmtiles', 'mbtiles'].includes(layoutOf(source)) ? { ...layer, format: 'png' } : layer;
}

function mapTexts(
  value: unknown,
  pointer: string,
  change: (text: string, pointer: string) => string,
): unknown {
  if (typeof value === 'string') return change(value, pointer);
  if (Array.isArray(value)) return value.map((item, i) => mapTexts(item, `${pointer}/${i}`, change));
  if (value === null || typeof value !== 'object') return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, child]) => [
      key,
      mapTexts(child, `${pointer}/${escapePointer(key)}`, change),
    ]),
  );
}
