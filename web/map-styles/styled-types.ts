import type { Datasource } from '@platen/contract/datasources';

/** Types of datasources whose layers have features with attributes to style. */
export const featureTypes: ReadonlySet<string> = new Set(['geojson', 'flatgeobuf', 'vectortiles']);

/** Types of datasources whose layers have 3D objects with attributes to style. */
export const objectTypes: ReadonlySet<string> = new Set(['tileset', 'tilesetupdate', 'i3s', 'meshinmesh']);

/** Whether the tiles of a datasource hold points. */
export const isPointCloud = ({
  type,
  typeProperties,
}: Pick<Datasource, 'type' | 'typeProperties'>): boolean =>
  objectTypes.has(type) &&
  (typeProperties['pointCloud'] === true || typeProperties['pointSize'] !== undefined);
