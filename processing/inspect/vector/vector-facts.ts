import type { InspectedLayer, VectorFacts } from '@platen/contract/inspect';
import type { Source } from '@platen/formats/source/source';
import type { CrsAssessment } from './assess-crs.ts';
import type { LayerSample } from './sample-layer.ts';

export interface SampledLayer {
  readonly source: Source;
  readonly sample: LayerSample;
  readonly layer: InspectedLayer;
  readonly crsAssessment: CrsAssessment;
}

const binaryFormats = new Set(['flatgeobuf', 'geopackage', 'shapefile']);

/**
 * Undefined if a job would fail or put features in the wrong place.
 * @param scale size of the whole file relative to the part that was opened
 */
export function vectorFacts(layers: readonly SampledLayer[], scale: number): VectorFacts | undefined {
  const usable = layers.filter(({ sample }) => sample.types.size > 0);
  const isUnusable = layers.some(
    ({ sample, crsAssessment }) =>
      sample.isBroken || (sample.types.size > 0 && crsAssessment.kind === 'unknown'),
  );
  if (usable.length === 0 || isUnusable) return undefined;
  const guessed = new Set(
    usable.flatMap(({ crsAssessment }) =>
      crsAssessment.kind === 'guessed' ? [crsAssessment.crs!.code!] : [],
    ),
  );
  // the input has one CRS for all layers, so all of them must need it
  const crs = guessed.size === 1 && usable.every(({ crsAssessment }) => crsAssessment.kind === 'guessed');
  if (guessed.size > 0 && !crs) return undefined;
  const parts = new Set(usable.flatMap(({ source }) => source.layers.flatMap((layer) => layer.parts)));
  const detailMetres = detailOf(usable);
  return {
    ...(crs && { crs: [...guessed][0]! }),
    sample: {
      bytes: parts.values().reduce((sum, { weight }) => sum + weight, 0) * scale,
      isBinary: usable.every(({ source }) => binaryFormats.has(source.format)),
      points: countOf(usable, 'Point'),
      lines: countOf(usable, 'LineString'),
      areas: countOf(usable, 'Polygon'),
      ...(detailMetres !== undefined && { detailMetres }),
    },
  };
}

function countOf(layers: readonly SampledLayer[], type: string): number {
  const counts = layers.flatMap(({ sample }) => [...sample.types]);
  return counts.reduce((sum, [name, count]) => sum + (name.replace('Multi', '') === type ? count : 0), 0);
}

/** The detail of the finest layer; undefined if the sample has none. */
function detailOf(layers: readonly SampledLayer[]): number | undefined {
  const finest = Math.min(...layers.map(({ sample }) => sample.detail.metres() ?? Infinity));
  return Number.isFinite(finest) && finest > 0 ? finest : undefined;
}
