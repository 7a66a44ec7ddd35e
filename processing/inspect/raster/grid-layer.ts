import type { InspectedLayer } from '@platen/contract/inspect';
import type { HeightDiagnosis } from '../../heights/diagnose-heights.ts';
import type { Finding } from '../inspector.ts';
import { heightsAdvice } from '../place/inspect-heights.ts';

export function gridUses(heights: HeightDiagnosis | undefined): Finding['uses'] {
  const reason = `Heights. To use them as terrain, convert them to quantized-mesh tiles. ${heightsAdvice(heights)}`;
  return [{ kind: 'datasource', type: 'qmesh', confidence: 0.3, reason }];
}

export function gridLayer(name: string, more: Partial<InspectedLayer>): InspectedLayer {
  return {
    name: name.replace(/\.[^.]+$/, '').slice(0, 200) || 'grid',
    geometryTypes: [],
    featureCount: 1,
    isEstimated: false,
    isBboxEstimated: false,
    fields: [],
    ...more,
  };
}
