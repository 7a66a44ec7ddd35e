/**
 * A globe and a flat map to see modules on that have none: most leave it to another module of their app to bring them.
 * It stands right after the world base layer.
 */
export function stageModule() {
  return {
    _id: 'platen-stage',
    name: 'platen-stage',
    description: 'Default maps for modules without maps.',
    maps: [
      { type: 'OpenlayersMap', name: 'platen-flat' },
      { type: 'CesiumMap', name: 'platen-globe' },
      { type: 'ObliqueMap', name: 'platen-oblique' },
    ],
    startingMapName: 'platen-globe',
  };
}
