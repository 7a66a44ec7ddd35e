import type { InspectionSuggestion, InspectionUse } from '@platen/contract/inspect';
import { convertVector } from '../../convert-vector/spec.ts';
import type { SeenLayer } from './suggest-task.ts';

interface Of {
  /** Neither packed nor in parts. */
  readonly isSingleFile: boolean;
  /** In bytes. */
  readonly size: number;
  readonly suggestion: InspectionSuggestion | undefined;
}

/** Viewers read GeoJSON as a whole. */
const comfortableBytes = 2 << 20;
const bearableBytes = 20 << 20;

/** What can be done with features, the best first. */
export function usesOf(seen: readonly SeenLayer[], of: Of): InspectionUse[] {
  const uses: InspectionUse[] = [];
  const shown = showAsItIs(seen, of);
  if (shown) uses.push(shown);
  if (of.suggestion) {
    const { jobType, reason } = of.suggestion;
    uses.push({ kind: 'job', type: jobType, confidence: 0.95, reason });
    const convert = 'One file that viewers read in parts and other programs as a whole';
    uses.push({ kind: 'job', type: `platen${convertVector.name}`, confidence: 0.4, reason: convert });
  }
  return uses.toSorted((a, b) => b.confidence - a.confidence);
}

function showAsItIs(seen: readonly SeenLayer[], { isSingleFile, size }: Of): InspectionUse | undefined {
  const [only] = seen;
  if (!isSingleFile || seen.length !== 1 || !only) return undefined;
  const { source, judgement, sample } = only;
  if (sample.isBroken || judgement.kind !== 'named' || sample.types.size === 0) return undefined;
  if (source.format === 'flatgeobuf') {
    const reason = 'Viewers read only the part of it that they show';
    return { kind: 'datasource', type: 'flatgeobuf', confidence: 0.7, reason };
  }
  const isLonLat = judgement.crs?.code === 'EPSG:4326' || judgement.crs?.code === 'OGC:CRS84';
  if (source.format !== 'geojson' || !isLonLat || size > bearableBytes) return undefined;
  return size <= comfortableBytes
    ? {
        kind: 'datasource',
        type: 'geojson',
        confidence: 0.6,
        reason: 'It is small enough to be shown as it is',
      }
    : { kind: 'datasource', type: 'geojson', confidence: 0.3, reason: 'Viewers load all of it at once' };
}
