import type { JobResult } from '../job-type.ts';
import type { Region } from './region.ts';

/** The result of a job that has written a tileset. */
export function tilesetResult(
  { path, region }: { readonly path: string; readonly region: Region },
  properties: Readonly<Record<string, unknown>>,
): JobResult {
  const [west, south, east, north, lowest, highest] = region;
  return {
    datasource: {
      type: 'tileset',
      path,
      bbox: [west, south, east, north],
      typeProperties: {},
      properties: { ...properties, heightRange: [lowest, highest] },
    },
  };
}
