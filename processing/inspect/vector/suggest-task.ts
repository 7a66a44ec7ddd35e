import { availableParallelism } from 'node:os';
import type { InspectedLayer, InspectionSuggestion } from '@platen/contract/inspect';
import type { Source } from '@platen/formats/source/source';
import { tilesVector } from '../../tiles-vector/spec.ts';
import { suggestTiling } from '../../tiles-vector/suggest.ts';
import type { Box } from '../box.ts';
import type { CrsJudgement } from './judge-crs.ts';
import type { LayerSample } from './sample-layer.ts';

export interface SeenLayer {
  readonly source: Source;
  readonly sample: LayerSample;
  readonly layer: InspectedLayer;
  readonly judgement: CrsJudgement;
}

const binaryFormats = new Set(['flatgeobuf', 'geopackage', 'shapefile']);

/** How to make tiles of it; undefined where that would fail, or put things in the wrong place. */
export function suggestTask(seen: readonly SeenLayer[], scale: number): InspectionSuggestion | undefined {
  const useful = seen.filter(({ sample }) => sample.types.size > 0);
  const hindered = seen.some(
    ({ sample, judgement }) => sample.isBroken || (sample.types.size > 0 && judgement.kind === 'unknown'),
  );
  if (useful.length === 0 || hindered) return undefined;
  const counts = useful.map(({ layer }) => layer.featureCount);
  const isCounted = counts.every((count) => count !== undefined);
  const weights = useful.flatMap(({ source }) => source.layers.flatMap(({ parts }) => parts));
  const { preset, minZoom, maxZoom, ...expected } = suggestTiling(
    {
      geometryTypes: typesOf(useful),
      featureCount: isCounted ? counts.reduce((sum, count) => sum + count, 0) : undefined,
      bytes: new Set(weights).values().reduce((sum, { weight }) => sum + weight, 0) * scale,
      isBinary: useful.every(({ source }) => binaryFormats.has(source.format)),
      bbox: unionOf(useful.flatMap(({ layer }) => (layer.bbox ? [layer.bbox as Box] : []))),
      layers: useful.length,
      detailMetres: detailOf(useful),
    },
    availableParallelism(),
  );
  const guessed = new Set(
    useful.flatMap(({ judgement }) => (judgement.kind === 'guessed' ? [judgement.crs!.code!] : [])),
  );
  // one CRS is named for all layers: where only some need it, that would be wrong
  const crs = guessed.size === 1 && useful.every(({ judgement }) => judgement.kind === 'guessed');
  if (guessed.size > 0 && !crs) return undefined;
  const tiling = { preset, minZoom, maxZoom };
  return {
    jobType: `platen${tilesVector.name}`,
    ...tiling,
    ...expected,
    options: { ...(crs && { input: { crs: [...guessed][0]! } }), tiling },
  };
}

function typesOf(seen: readonly SeenLayer[]): Record<'Point' | 'LineString' | 'Polygon', number> {
  const types = { Point: 0, LineString: 0, Polygon: 0 };
  for (const { sample } of seen)
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

/** Of the finest layer: the others are shown with it. */
function detailOf(seen: readonly SeenLayer[]): number | undefined {
  const all = seen.flatMap(({ sample }) => sample.detail.metres() ?? []);
  return all.length === 0 ? undefined : Math.min(...all);
}
