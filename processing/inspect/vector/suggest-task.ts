import { availableParallelism } from 'node:os';
import type { InspectedLayer, InspectionSuggestion } from '@platen/contract/inspect';
import type { Source } from '@platen/formats/source/source';
import { tilesVectorType } from '../../suggestions/tiles-vector-type.ts';
import { suggestTiling } from '../../suggestions/suggest-tiling.ts';
import type { Box } from '../box.ts';
import type { CrsAssessment } from './assess-crs.ts';
import type { LayerSample } from './sample-layer.ts';

export interface SampledLayer {
  readonly source: Source;
  readonly sample: LayerSample;
  readonly layer: InspectedLayer;
  readonly crsAssessment: CrsAssessment;
}

const binaryFormats = new Set(['flatgeobuf', 'geopackage', 'shapefile']);

/** Suggests a task that makes tiles; undefined if it would fail or put features in the wrong place. */
export function suggestTask(
  layers: readonly SampledLayer[],
  scale: number,
): InspectionSuggestion | undefined {
  const usable = layers.filter(({ sample }) => sample.types.size > 0);
  const isUnusable = layers.some(
    ({ sample, crsAssessment }) =>
      sample.isBroken || (sample.types.size > 0 && crsAssessment.kind === 'unknown'),
  );
  if (usable.length === 0 || isUnusable) return undefined;
  const counts = usable.map(({ layer }) => layer.featureCount);
  const isCounted = counts.every((count) => count !== undefined);
  const weights = usable.flatMap(({ source }) => source.layers.flatMap(({ parts }) => parts));
  const { preset, minZoom, maxZoom, ...expected } = suggestTiling(
    {
      geometryTypes: typesOf(usable),
      featureCount: isCounted ? counts.reduce((sum, count) => sum + count, 0) : undefined,
      bytes: new Set(weights).values().reduce((sum, { weight }) => sum + weight, 0) * scale,
      isBinary: usable.every(({ source }) => binaryFormats.has(source.format)),
      bbox: unionOf(usable.flatMap(({ layer }) => (layer.bbox ? [layer.bbox as Box] : []))),
      layers: usable.length,
      detailMetres: detailOf(usable),
    },
    availableParallelism(),
  );
  const guessed = new Set(
    usable.flatMap(({ crsAssessment }) =>
      crsAssessment.kind === 'guessed' ? [crsAssessment.crs!.code!] : [],
    ),
  );
  // the input has one CRS for all layers, so all of them must need it
  const crs = guessed.size === 1 && usable.every(({ crsAssessment }) => crsAssessment.kind === 'guessed');
  if (guessed.size > 0 && !crs) return undefined;
  const tiling = { preset, minZoom, maxZoom };
  return {
    jobType: `platen${tilesVectorType.name}`,
    ...tiling,
    ...expected,
    options: { ...(crs && { input: { crs: [...guessed][0]! } }), tiling },
  };
}

function typesOf(layers: readonly SampledLayer[]): Record<'Point' | 'LineString' | 'Polygon', number> {
  const types = { Point: 0, LineString: 0, Polygon: 0 };
  for (const { sample } of layers)
    for (const [type, count] of sample.types) types[type.replace('Multi', '') as keyof typeof types] += count;
  return types;
}

function unionOf(boxes: readonly Box[]): Box | undefined {
  if (boxes.length === 0) return undefined;
  return boxes.reduce(([west, south, east, north], box) => [
    Math.min(west, box[0]),
    Math.min(south, box[1]),
    Math.max(east, box[2]),
    Math.max(north, box[3]),
  ]);
}

/** The detail of the finest layer, because all layers share the zooms. */
function detailOf(layers: readonly SampledLayer[]): number | undefined {
  const all = layers.flatMap(({ sample }) => sample.detail.metres() ?? []);
  return all.length === 0 ? undefined : Math.min(...all);
}
