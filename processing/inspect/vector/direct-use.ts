import type { InspectionUse } from '@platen/contract/inspect';
import type { SampledLayer } from './vector-facts.ts';

interface UseContext {
  /** Neither compressed nor several files. */
  readonly isSingleFile: boolean;
  /** In bytes. */
  readonly size: number;
}

/** Viewers load GeoJSON as a whole. */
const preferredMaxBytes = 2 << 20;
const maxBytes = 20 << 20;

/** How viewers can use vector data unchanged; undefined if they cannot. */
export function directUse(
  layers: readonly SampledLayer[],
  { isSingleFile, size }: UseContext,
): InspectionUse | undefined {
  const [only] = layers;
  if (!isSingleFile || layers.length !== 1 || !only) return undefined;
  const { source, crsAssessment, sample } = only;
  if (sample.isBroken || crsAssessment.kind !== 'named' || sample.types.size === 0) return undefined;
  if (source.format === 'flatgeobuf') {
    const reason = 'Viewers read only the part of it that they show';
    return { kind: 'datasource', type: 'flatgeobuf', confidence: 0.7, reason };
  }
  const isLonLat = crsAssessment.crs?.code === 'EPSG:4326' || crsAssessment.crs?.code === 'OGC:CRS84';
  if (source.format !== 'geojson' || !isLonLat || size > maxBytes) return undefined;
  return size <= preferredMaxBytes
    ? {
        kind: 'datasource',
        type: 'geojson',
        confidence: 0.6,
        reason: 'It is small enough to be shown as it is',
      }
    : { kind: 'datasource', type: 'geojson', confidence: 0.3, reason: 'Viewers load all of it at once' };
}
