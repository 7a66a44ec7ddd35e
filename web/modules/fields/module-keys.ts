import { moduleItemLists } from './module-schema.ts';

/** The module's keys that the editor has a place for. */
export const moduleKeys: ReadonlySet<string> = new Set([
  ...moduleItemLists,
  'name',
  'description',
  'properties',
  'projection',
  'story',
  'startingMapName',
  'startingViewpointName',
  'startingObliqueCollectionName',
]);
