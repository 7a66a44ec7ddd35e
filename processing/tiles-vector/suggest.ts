import type { InspectedLayer, InspectionReport } from '@platen/contract/inspect';
import type { JobSuggestion } from '../job-suggestion.ts';
import { suggestTiling } from './suggest-tiling.ts';

/** Suggests tiles for all vector data that jobs can read, with a preset and zooms if a sample of it was read. */
export function suggest({ layers, vector }: InspectionReport, cores: number): JobSuggestion | undefined {
  if (!vector) return undefined;
  const { crs, sample } = vector;
  if (!sample) return { confidence: 0.9, reason: 'Vector tiles, for maps of any size' };
  const { bytes, isBinary, points, lines, areas, detailMetres } = sample;
  const usable = layers.filter(({ geometryTypes }) => geometryTypes.length > 0);
  const counts = usable.map(({ featureCount }) => featureCount);
  const isCounted = counts.every((count) => count !== undefined);
  const { preset, minZoom, maxZoom, ...expected } = suggestTiling(
    {
      geometryTypes: { Point: points, LineString: lines, Polygon: areas },
      featureCount: isCounted ? counts.reduce((sum, count) => sum + count, 0) : undefined,
      bytes,
      isBinary,
      bbox: unionOf(usable),
      layers: usable.length,
      detailMetres,
    },
    cores,
  );
  const tiling = { preset, minZoom, maxZoom };
  const input = crs === undefined ? undefined : { crs };
  return { confidence: 0.95, ...tiling, ...expected, options: { ...(input && { input }), tiling } };
}

/** West, south, east, north. */
type Box = [number, number, number, number];

function unionOf(layers: readonly InspectedLayer[]): Box | undefined {
  const boxes = layers.flatMap(({ bbox }) => (bbox ? [bbox as Box] : []));
  if (boxes.length === 0) return undefined;
  return boxes.reduce(([west, south, east, north], box) => [
    Math.min(west, box[0]),
    Math.min(south, box[1]),
    Math.max(east, box[2]),
    Math.max(north, box[3]),
  ]);
}
