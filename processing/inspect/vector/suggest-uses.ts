import type { InspectionSuggestion, InspectionUse } from '@platen/contract/inspect';
import { convertVectorType } from '../../suggestions/convert-vector-type.ts';
import type { SampledLayer } from './suggest-task.ts';

interface UseContext {
  /** Neither compressed nor several files. */
  readonly isSingleFile: boolean;
  /** In bytes. */
  readonly size: number;
  readonly suggestion: InspectionSuggestion | undefined;
}

/** Viewers load GeoJSON as a whole. */
const preferredMaxBytes = 2 << 20;
const maxBytes = 20 << 20;

/** Suggests uses for vector data, the best first. */
export function suggestUses(layers: readonly SampledLayer[], context: UseContext): InspectionUse[] {
  const uses: InspectionUse[] = [];
  const shown = directUse(layers, context);
  if (shown) uses.push(shown);
  if (context.suggestion) {
    const { jobType, reason } = context.suggestion;
    uses.push({ kind: 'job', type: jobType, confidence: 0.95, reason });
    const convert = 'One file that viewers read in parts and other programs as a whole';
    uses.push({ kind: 'job', type: `platen${convertVectorType.name}`, confidence: 0.4, reason: convert });
  }
  return uses.toSorted((a, b) => b.confidence - a.confidence);
}

function directUse(
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
