import { moduleItemLists } from './module-schema.ts';

/** The keys of a module that have a place in the editor. */
export const moduleKeys: ReadonlySet<string> = new Set([
  ...moduleItemLists,
  'name',
  'description',
  'properties',
  'projection',
  'startingMapName',
  'startingViewpointName',
  'startingObliqueCollectionName',
]);
