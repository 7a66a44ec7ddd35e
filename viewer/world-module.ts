import { isOfNames, worldMaps, type NamesId } from '@platen/contract/base-maps';
import { worldColours, type WorldLook } from './world-colours.ts';

/** Maximum zoom of world.pmtiles. */
export const worldMaxZoom = 5;

/** Path at which the service serves the tiles of world.pmtiles. */
export const worldTilesPath = '/basemap/world/{z}/{x}/{y}.png';

export type WorldMap = Exclude<(typeof worldMaps)[number], NamesId>;

/** The archives of the world maps, which are the folders of their tiles as well. */
export const worldFolders: Readonly<Record<WorldMap, 'world' | 'world-grey' | 'world-dark'>> = {
  'world-light': 'world',
  'world-grey': 'world-grey',
  'world-dark': 'world-dark',
};

/** Path at which the service serves the tiles of world-detail.pmtiles, which all world maps share. */
export const worldDetailPath = '/basemap/world-detail/{z}/{x}/{y}.mvt';

/** Without the names. */
export const isWorldMap = (id: string): id is WorldMap =>
  !isOfNames(id) && worldMaps.some((known) => known === id);

/** The world map that a world base layer shows. */
export function worldMapOf({ layers }: { readonly layers?: unknown }): WorldMap {
  const [bottom] = (layers ?? []) as { readonly url?: unknown }[];
  const known = worldMaps.filter(isWorldMap);
  return known.find((map) => bottom?.url === worldLayer(map).url) ?? 'world-light';
}

/**
 * The VC Map module with the world base layer, the first of an app's modules. The globe needs a bottom layer that
 * covers the world, because the engine stretches the edges of any other one. Maps and all other layers come from the
 * app's own modules.
 * @param chosen ids of the base maps that lie above it, between which visitors choose
 */
export function worldModule(chosen: readonly string[] = []) {
  const [first = ''] = chosen;
  const bottom = isWorldMap(first) ? first : 'world-light';
  const isAlone = chosen.length === 0;
  return {
    _id: 'platen-world',
    name: 'platen-world',
    description: 'World base layer drawn from Natural Earth, without requests to other hosts.',
    layers: [
      {
        ...worldLayer(bottom),
        name: 'platen-world',
        activeOnStartup: true,
        zIndex: -1000,
        properties: { title: 'platenWorld.title', attributions: naturalEarth },
      },
      ...(isAlone
        ? [{ ...worldDetail(bottom), name: worldDetailName, activeOnStartup: true, zIndex: -999 }]
        : []),
    ],
    // The engine looks up every title as a translation key.
    i18n: [
      {
        name: 'platenWorld',
        en: { platenWorld: { title: 'Base map' } },
        de: { platenWorld: { title: 'Grundkarte' } },
      },
    ],
    contentTree: isAlone
      ? [
          {
            type: 'LayerGroupContentTreeItem',
            name: 'platen-world',
            title: 'platenWorld.title',
            layerNames: ['platen-world', worldDetailName],
            weight: -1000,
          },
        ]
      : [],
  };
}

const worldDetailName = 'platen-world-detail';

export const naturalEarth = { provider: 'Natural Earth', url: 'https://www.naturalearthdata.com/' };

/** A layer of a world map; without a name. */
export function worldLayer(map: WorldMap) {
  return {
    ...tileLayer(worldTilesPath.replace('/world/', `/${worldFolders[map]}/`)),
    minLevel: 0,
    maxLevel: worldMaxZoom,
  };
}

/**
 * The layer that covers a world map from the zoom on at which its pictures would be blurred: vector tiles, which are sharp
 * at any zoom; without a name.
 */
export function worldDetail(map: WorldMap) {
  const colours = worldColours[map.replace('world-', '') as WorldLook];
  const byKind = {
    conditions: [
      ...(['water', 'land', 'ice', 'river', 'border'] as const).map((kind) => [
        isKind(kind),
        `color('${colours[kind]}')`,
      ]),
      [isKind('stream'), `color('${colours.river}')`],
      ['true', `color('${colours.coast}')`],
    ],
  };
  const isArea = ['water', 'land', 'ice'].map(isKind).join(' || ');
  return {
    type: 'VectorTileLayer',
    allowPicking: false,
    tileProvider: { type: 'MVTTileProvider', url: worldDetailPath, baseLevels: [worldMaxZoom] },
    minLevel: worldMaxZoom,
    style: {
      type: 'DeclarativeStyleItem',
      declarativeStyle: {
        color: byKind,
        strokeColor: byKind,
        strokeWidth: {
          conditions: [
            [isArea, '0'],
            [isKind('river'), '1.8'],
            ['true', '1.2'],
          ],
        },
      },
    },
    properties: { attributions: naturalEarth },
  };
}

const isKind = (kind: string) => `\${kind} === '${kind}'`;

/**
 * A layer of tiles in Web Mercator that cover the world. The engine has no layer type for plain tile pyramids; a WMTS
 * with a URL template is one.
 * @param template with `{z}`, `{x}` and `{y}`
 */
export function tileLayer(template: string) {
  return {
    type: 'WMTSLayer',
    allowPicking: false,
    url: template.replace('{z}', '{TileMatrix}').replace('{x}', '{TileCol}').replace('{y}', '{TileRow}'),
    format: 'image/png',
    tilingSchema: 'mercator',
    tileMatrixSetID: 'world',
    layer: 'world',
    extent: extentOf([-180, -85, 180, 85]),
  };
}

/** @param coordinates west, south, east, north in degrees */
export const extentOf = (coordinates: readonly number[]) => ({
  type: 'Extent',
  coordinates: [...coordinates],
  projection: { type: 'Projection', epsg: 4326 },
});
