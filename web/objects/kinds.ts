import type { ObjectListQuery } from '@platen/contract/object-info';

export const kindGroups = ['all', 'vector', 'raster', 'solid'] as const;
export type KindGroup = (typeof kindGroups)[number];

/** The kinds of data in each group of the filter; `all` includes files that were not inspected. */
export const kindsOf: Readonly<Record<Exclude<KindGroup, 'all'>, ObjectListQuery['kind']>> = {
  vector: ['vector', 'tiles'],
  raster: ['raster', 'terrain'],
  solid: ['cityModel', 'pointCloud', 'mesh', 'tileset', 'sceneLayer'],
};
