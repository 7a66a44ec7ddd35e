import type { DatasourceType } from '@platen/contract/datasource-types';

/** Repeated from the contract, whose list would bring the schemas of all options into the browser. */
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
