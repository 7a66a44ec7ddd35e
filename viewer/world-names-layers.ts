import { worldColours, type WorldLook } from './world-colours.ts';
import { naturalEarth, worldMaxZoom, type WorldMap } from './world-module.ts';

/** Languages in which the names of the world are. */
export const nameLanguages = ['en', 'de'] as const;
export type NameLanguage = (typeof nameLanguages)[number];

/** Path at which the service serves the tiles of the names; the map viewer puts its language in. */
export const worldNamesPath = '/basemap/world-names-{locale}/{z}/{x}/{y}.mvt';

/** The zoom level from which on a second layer shows the names that the last tiles have no room for. */
export const nearNamesZoom = 7;

/** Flat maps show no layer far beyond its last zoom level. */
const lastNamesZoom = 14;

const geoNames = { provider: 'GeoNames, CC BY 4.0', url: 'https://www.geonames.org/' };
const isNear = '${near} === 1';
const isCountry = "${kind} === 'country'";
const isCapital = "${kind} === 'capital'";

/**
 * The layers with the names of countries and towns; without names of their own. Of the last zoom level of the tiles, the first
 * one shows what has room there, the second one the rest from where that has room.
 * @param map the world map below; names are in colours that can be read on all of them
 */
export function worldNamesLayers(map: WorldMap) {
  const look = map.replace('world-', '') as WorldLook;
  const common = {
    type: 'VectorTileLayer',
    renderer: 'primitive',
    allowPicking: false,
    // clamped to the ground, names of places far outside of a close view lie on coarse tiles, deep below the ground, and show through it
    vectorProperties: { altitudeMode: 'absolute', groundLevel: 0 },
    properties: { attributions: [naturalEarth, geoNames] },
  };
  const levels = [...Array(worldMaxZoom + 1).keys()];
  const provider = (baseLevels: readonly number[]) => ({
    type: 'MVTTileProvider',
    url: worldNamesPath,
    baseLevels: [...baseLevels],
  });
  return [
    {
      ...common,
      tileProvider: provider(levels),
      minLevel: 0,
      maxLevel: lastNamesZoom,
      style: styleOf(look, `!(${isNear})`),
    },
    {
      ...common,
      tileProvider: provider([worldMaxZoom]),
      minLevel: nearNamesZoom,
      maxLevel: lastNamesZoom,
      style: styleOf(look, isNear),
    },
  ];
}

function styleOf(look: WorldLook, show: string) {
  const { town, country, halo } = worldColours[look].names;
  const dot = `'${dotOf(town, halo)}'`;
  return {
    type: 'DeclarativeStyleItem',
    // a dot without its name says nothing, see flat-symbols.ts
    properties: { hasDispensableSymbols: true },
    declarativeStyle: {
      show,
      image: {
        conditions: [
          [isCountry, "''"],
          ['true', dot],
        ],
      },
      labelText: '${name}',
      font: {
        conditions: [
          [isCountry, "'600 13px sans-serif'"],
          [isCapital, "'600 12px sans-serif'"],
          ['true', "'12px sans-serif'"],
        ],
      },
      labelColor: {
        conditions: [
          [isCountry, `color('${country}')`],
          ['true', `color('${town}')`],
        ],
      },
      labelOutlineColor: `color('${halo}')`,
      labelOutlineWidth: '3',
      labelStyle: '2',
      anchorLineEnabled: 'false',
    },
  };
}

/** A picture, as the engine draws a circle wherever there is none, also for countries. */
function dotOf(colour: string, halo: string): string {
  const circle = `<circle cx="4" cy="4" r="3" fill="${colour}" stroke="${halo}"/>`;
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="8" height="8">${circle}</svg>`;
  return `data:image/svg+xml,${encodeURIComponent(svg).replaceAll("'", '%27')}`;
}
