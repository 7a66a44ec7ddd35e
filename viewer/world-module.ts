/** Deepest zoom of the tiles in world.pmtiles. */
export const worldMaxZoom = 5;

/** Where the service offers the tiles of world.pmtiles. */
export const worldTilesPath = '/basemap/world/{z}/{x}/{y}.png';

/**
 * The VC Map module with the world base layer, to stand first in an app's list of modules. The globe needs a layer
 * at its bottom that covers the world: the engine stretches the edges of any other over it. It has no maps:
 * those, and all other layers, come from the app's own modules.
 */
export function worldModule() {
  return {
    _id: 'platen-world',
    name: 'platen-world',
    description: 'World base layer drawn from Natural Earth, without requests to other hosts.',
    layers: [
      {
        // The engine has no type for plain tile pyramids; a WMTS with a template is one.
        type: 'WMTSLayer',
        name: 'platen-world',
        activeOnStartup: true,
        allowPicking: false,
        zIndex: -1000,
        url: worldTilesPath
          .replace('{z}', '{TileMatrix}')
          .replace('{x}', '{TileCol}')
          .replace('{y}', '{TileRow}'),
        format: 'image/png',
        tilingSchema: 'mercator',
        tileMatrixSetID: 'world',
        layer: 'world',
        minLevel: 0,
        maxLevel: worldMaxZoom,
        extent: {
          type: 'Extent',
          coordinates: [-180, -85, 180, 85],
          projection: { type: 'Projection', epsg: 4326 },
        },
        properties: {
          title: 'platenWorld.title',
          attributions: { provider: 'Natural Earth', url: 'https://www.naturalearthdata.com/' },
        },
      },
    ],
    // A title is a string, and the engine looks every string up here.
    i18n: [
      {
        name: 'platenWorld',
        en: { platenWorld: { title: 'World' } },
        de: { platenWorld: { title: 'Welt' } },
      },
    ],
    contentTree: [
      { type: 'LayerContentTreeItem', name: 'platen-world', layerName: 'platen-world', weight: -1000 },
    ],
  };
}
