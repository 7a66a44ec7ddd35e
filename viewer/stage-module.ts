/**
 * A globe and a flat map for modules without maps, which most leave to another module of their app. It follows the
 * world base layer.
 */
export function stageModule() {
  return {
    _id: 'platen-stage',
    name: 'platen-stage',
    description: 'Default maps for modules without maps.',
    maps: [
      { type: 'OpenlayersMap', name: 'platen-flat' },
      { type: 'CesiumMap', name: 'platen-globe', globeColor: '#b8d2dc', enableLightning: false },
      { type: 'ObliqueMap', name: 'platen-oblique' },
    ],
    startingMapName: 'platen-globe',
  };
}
