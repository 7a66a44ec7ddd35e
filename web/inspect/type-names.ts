import type { DatasourceType } from '@platen/contract/datasource-types';

/** Of the contract, whose own list comes with the schemas of all options: too much for a browser. */
export const typeNames = [
  'geojson',
  'vectortiles',
  'flatgeobuf',
  'tileset',
  'i3s',
  'qmesh',
  'meshinmesh',
  'cog',
  'tms',
  'wms',
  'wmts',
  'oblique',
  'panorama',
  'generic',
  'tilesetupdate',
] as const satisfies readonly DatasourceType[];

export const isDatasourceType = (type: string): type is DatasourceType =>
  (typeNames as readonly string[]).includes(type);
