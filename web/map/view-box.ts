import type { Datasource } from '@platen/contract/datasources';
import type { Inspection } from '@platen/contract/inspect';
import { isBounds, unionOf, type Bounds } from './bounds.ts';

/** Where a map of a datasource starts: where nearly all of its features are, if a few far ones make its extent much larger. */
export function viewBoxOf({ bbox, properties }: Pick<Datasource, 'bbox' | 'properties'>): Bounds | undefined {
  const { typicalBbox } = properties;
  const whole = isBounds(bbox) ? bbox : undefined;
  // the file may have been replaced since
  return isBounds(typicalBbox) && (!whole || isWithin(typicalBbox, whole)) ? typicalBbox : whole;
}

const isWithin = ([west, south, east, north]: Bounds, outer: Bounds) =>
  west >= outer[0] && south >= outer[1] && east <= outer[2] && north <= outer[3];

/** What a datasource keeps of where nearly all features are; empty if they lie together. */
export function typicalOf({ layers }: Pick<Inspection, 'layers'>): { typicalBbox?: Bounds } {
  if (layers.every(({ typicalBbox }) => typicalBbox === undefined)) return {};
  const box = unionOf(layers.map(({ bbox, typicalBbox = bbox }) => typicalBbox));
  return box === undefined ? {} : { typicalBbox: box };
}
