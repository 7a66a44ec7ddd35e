import type { ObjectListQuery } from '@platen/contract/object-info';

export const kindGroups = ['all', 'vector', 'raster', 'solid'] as const;
export type KindGroup = (typeof kindGroups)[number];

/** Which kinds of data the groups of the filter mean; all: whatever it is, also what nobody looked into. */
export const kindsOf: Readonly<Record<Exclude<KindGroup, 'all'>, ObjectListQuery['kind']>> = {
  vector: ['vector', 'tiles'],
  raster: ['raster', 'terrain'],
  solid: ['cityModel', 'pointCloud', 'mesh', 'tileset', 'sceneLayer'],
};
