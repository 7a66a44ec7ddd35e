import { isOfNames, worldNames, type BaseMap, type NamesId } from '@platen/contract/base-maps';
import type { Module } from '@platen/contract/modules';
import type { FreeForm } from '@platen/contract/schema';
import {
  extentOf,
  isWorldMap,
  naturalEarth,
  tileLayer,
  worldDetail,
  worldLayer,
  type WorldMap,
} from '@platen/viewer/world-module';
import { worldNamesLayers } from '@platen/viewer/world-names-layers';
import type { DatasourceType } from '@platen/contract/datasource-types';
import { layerTypesOf } from '../../datasources/layer.ts';

/** Visitors switch one on at a time. A world map has two layers, one in each group; other base maps are in both. */
const baseGroup = 'platen-base-maps';
const detailGroup = 'platen-base-map-details';
const terrainGroup = 'platen-terrain';

export const baseMapModuleId = 'platen-base-maps';

/** A base map that an app has chosen and that exists. */
export type ChosenBaseMap = WorldMap | NamesId | BaseMap;

interface Owner {
  readonly projectId: string;
  /** The user with whose permissions the app reads; the module counts as theirs. */
  readonly memberId: string;
}

/**
 * The module with the base maps that an app has chosen, as exclusive groups: one map, and one terrain. It precedes the
 * app's own modules and is compiled as they are.
 * @param typeOf undefined for datasources that do not exist, which are left out
 */
export function baseMapModule(
  chosen: readonly ChosenBaseMap[],
  { projectId, memberId }: Owner,
  typeOf: (datasourceId: string) => DatasourceType | undefined,
): Module {
  const layers = chosen.flatMap((one): FreeForm[] => {
    if (isOfNames(one)) return [];
    const layer = layerOf(one, typeOf);
    return layer === undefined ? [] : [layer];
  });
  const started = new Set<unknown>();
  for (const layer of layers) {
    const [group] = layer['exclusiveGroups'] as string[];
    layer['activeOnStartup'] = !started.has(group);
    started.add(group);
  }
  const items = layers.map(treeItem);
  const details = layers.flatMap(detailOf);
  const names = chosen.some(isOfNames) ? namesFor(chosen) : [];
  return {
    _id: baseMapModuleId,
    projectId,
    memberId,
    createdBy: memberId,
    updatedBy: memberId,
    createdAt: epoch,
    updatedAt: epoch,
    revision: 1,
    name: 'Base maps',
    description: 'The base maps that the app has chosen.',
    properties: {},
    layers: [...layers, ...details, ...names],
    maps: [],
    contentTree: [
      {
        type: 'NodeContentTreeItem',
        name: baseMapModuleId,
        title: 'platenBaseMaps.title',
        initOpen: true,
        weight: -1000,
      },
      ...items,
      ...(names.length > 0 ? [namesItem(names)] : []),
    ],
    viewpoints: [],
    i18n: [{ name: 'platenBaseMaps', en: { platenBaseMaps: words.en }, de: { platenBaseMaps: words.de } }],
  };
}

const idOf = ({ name }: FreeForm) => String(name).slice(baseMapModuleId.length + 1);

function treeItem(layer: FreeForm): FreeForm {
  const { name, properties } = layer;
  const common = { name: `${baseMapModuleId}.${idOf(layer)}` };
  if (!isWorldMap(idOf(layer))) return { ...common, type: 'LayerContentTreeItem', layerName: name };
  return {
    ...common,
    type: 'LayerGroupContentTreeItem',
    title: (properties as FreeForm)['title'],
    layerNames: [name, detailName(layer)],
  };
}

const detailName = ({ name }: FreeForm) => `${String(name)}-detail`;

/** The detail of a world map, which visitors switch together with it. */
function detailOf(layer: FreeForm): FreeForm[] {
  const id = idOf(layer);
  if (!isWorldMap(id)) return [];
  const { activeOnStartup } = layer;
  return [
    {
      ...worldDetail(id),
      name: detailName(layer),
      activeOnStartup,
      zIndex: -899,
      exclusiveGroups: [detailGroup],
    },
  ];
}

/** The names are in the colours of the first world map. They get their place above the data later, see raise-names.ts. */
function namesFor(chosen: readonly ChosenBaseMap[]): FreeForm[] {
  const isWorld = (one: ChosenBaseMap): one is WorldMap => typeof one === 'string' && !isOfNames(one);
  const id = chosen.find(isOfNames);
  const layers: FreeForm[] = [];
  for (const layer of worldNamesLayers(chosen.find(isWorld) ?? 'world-light')) {
    const name = `${baseMapModuleId}-${id}-${layers.length + 1}`;
    layers.push({ ...layer, name, activeOnStartup: true, zIndex: -800 });
  }
  return layers;
}

const namesItem = (names: readonly FreeForm[]): FreeForm => ({
  type: 'LayerGroupContentTreeItem',
  name: `${baseMapModuleId}.${worldNames}`,
  title: 'platenBaseMaps.worldNames',
  layerNames: names.map(({ name }) => name),
});

const epoch = '1970-01-01T00:00:00.000Z';

const words = {
  en: {
    title: 'Base maps',
    worldLight: 'World',
    worldGrey: 'World, grey',
    worldDark: 'World, dark',
    worldNames: 'Names of countries and towns',
  },
  de: {
    title: 'Grundkarten',
    worldLight: 'Welt',
    worldGrey: 'Welt, grau',
    worldDark: 'Welt, dunkel',
    worldNames: 'Namen von Ländern und Orten',
  },
};
const worldTitles: Readonly<Record<WorldMap, string>> = {
  'world-light': 'platenBaseMaps.worldLight',
  'world-grey': 'platenBaseMaps.worldGrey',
  'world-dark': 'platenBaseMaps.worldDark',
};

function layerOf(
  chosen: Exclude<ChosenBaseMap, NamesId>,
  typeOf: (datasourceId: string) => DatasourceType | undefined,
): FreeForm | undefined {
  if (typeof chosen === 'string')
    return {
      ...worldLayer(chosen),
      ...common(chosen, [baseGroup]),
      properties: { title: worldTitles[chosen], attributions: naturalEarth },
    };
  const layer = ownLayer(chosen, typeOf);
  if (layer === undefined) return undefined;
  const { id, name, attribution, thumbnail } = chosen;
  return {
    ...layer,
    ...common(id, layer['type'] === 'TerrainLayer' ? [terrainGroup] : [baseGroup, detailGroup]),
    properties: {
      title: name,
      ...(attribution && { attributions: attributionsOf(attribution) }),
      ...(thumbnail !== undefined && { thumbnail }),
    },
  };
}

const attributionsOf = ({ text, url }: NonNullable<BaseMap['attribution']>) =>
  url === undefined ? { provider: text } : { provider: text, url };

const common = (id: string, exclusiveGroups: readonly string[]) => ({
  name: `${baseMapModuleId}-${id}`,
  allowPicking: false,
  zIndex: -900,
  exclusiveGroups: [...exclusiveGroups],
});

function ownLayer(
  baseMap: BaseMap,
  typeOf: (datasourceId: string) => DatasourceType | undefined,
): FreeForm | undefined {
  const { type, url = '', datasourceId = '', layer, style, tileMatrixSet, minZoom, maxZoom, bbox } = baseMap;
  const { format = 'image/png' } = baseMap;
  const extent = bbox && { extent: extentOf(bbox) };
  const levels = {
    ...(minZoom !== undefined && { minLevel: minZoom }),
    ...(maxZoom !== undefined && { maxLevel: maxZoom }),
  };
  switch (type) {
    case 'xyz':
      return { ...tileLayer(url), format, ...levels, ...extent };
    case 'pmtiles':
      // the page of the app reads the archive, see viewer/archive-tiles.ts
      return { ...tileLayer(`${url}#pmtiles/{z}/{x}/{y}`), ...levels, ...extent };
    case 'wmts':
      return {
        ...tileLayer(url),
        format,
        ...(layer !== undefined && { layer }),
        ...(tileMatrixSet !== undefined && { tileMatrixSetID: tileMatrixSet }),
        ...(style !== undefined && { wmtsStyle: style }),
        ...levels,
        ...extent,
      };
    case 'wms': {
      const parameters = { FORMAT: format, TRANSPARENT: 'true', STYLES: style ?? '' };
      return {
        type: 'WMSLayer',
        url,
        layers: layer!,
        tilingSchema: 'mercator',
        parameters,
        ...levels,
        ...extent,
      };
    }
    case 'terrain':
      return { type: 'TerrainLayer', url, requestVertexNormals: true, ...extent };
    case 'datasource': {
      const found = typeOf(datasourceId);
      const [layerType] = found === undefined ? [] : layerTypesOf(found);
      return layerType === undefined ? undefined : { type: layerType, datasourceId, ...levels, ...extent };
    }
  }
}
