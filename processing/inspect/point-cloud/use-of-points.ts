import type { InspectionUse } from '@platen/contract/inspect';

/** @param advice what has to be known of it before that */
export function useOfPoints(advice: string, confidence = 0.3): InspectionUse {
  return {
    kind: 'datasource',
    type: 'tileset',
    confidence,
    reason: `A point cloud. To show it on a map, convert it to 3D Tiles. ${advice}`,
  };
}
