import type { Family } from './inspector.ts';

/** Inspectors that also run on the members of archives. */
const singles: readonly Family[] = [
  {
    title: 'a city model',
    load: async () => (await import('./city-model/inspect-city-model.ts')).inspectCityModel,
  },
  { title: 'a model', load: async () => (await import('./mesh/inspect-mesh.ts')).inspectMesh },
  { title: 'a 3D tileset', load: async () => (await import('./tileset/inspect-tileset.ts')).inspectTileset },
  {
    title: 'a scene layer',
    load: async () => (await import('./scene-layer/inspect-scene-layer.ts')).inspectSceneLayer,
  },
  { title: 'imagery', load: async () => (await import('./raster/inspect-raster.ts')).inspectRaster },
  {
    title: 'a point cloud',
    load: async () => (await import('./point-cloud/inspect-point-cloud.ts')).inspectPointCloud,
  },
  { title: 'tiles', load: async () => (await import('./tile-archive/inspect-tiles.ts')).inspectTiles },
  { title: 'terrain', load: async () => (await import('./terrain/inspect-terrain.ts')).inspectTerrain },
];

/**
 * Called in this order until one recognises the subject. The last one always answers, also to say that the format is
 * unknown.
 */
export const inspectors: readonly Family[] = [
  ...singles,
  {
    title: 'an archive or a folder of several files',
    load: async () => (await import('./archive/inspect-archive.ts')).archiveInspector(singles),
  },
  { title: 'vector data', load: async () => (await import('./vector/inspect-vector.ts')).inspectVector },
];
