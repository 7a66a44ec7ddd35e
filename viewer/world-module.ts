/** Maximum zoom of world.pmtiles. */
export const worldMaxZoom = 5;

/** Path at which the service serves the tiles of world.pmtiles. */
export const worldTilesPath = '/basemap/world/{z}/{x}/{y}.png';

/**
 * The VC Map module with the world base layer, the first of an app's modules. The globe needs a bottom layer that
 * covers the world, because the engine stretches the edges of any other one. Maps and all other layers come from the
 * app's own modules.
 */
export function worldModule() {
  return {
    _id: 'platen-world',
    name: 'platen-world',
    description: 'World base layer drawn from Natural Earth, without requests to other hosts.',
    layers: [
      {
        // The engine has no layer type for plain tile pyramids; a WMTS with a URL template is one.
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
    // The engine looks up every title as a translation key.
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
