import type { InspectionReport } from '@platen/contract/inspect';
import type { JobSuggestion } from '../job-suggestion.ts';

const modelFormats = new Set(['obj', 'gltf', 'glb', 'ply', 'stl', 'ifc']);

/** Suggests tiles for city models that have a place, and for models that need one. */
export function suggest({ kind, format, layers }: InspectionReport): JobSuggestion | undefined {
  const hasPlace = layers.some(({ bbox }) => bbox !== undefined);
  if (kind === 'mesh' && format === 'ifc' && hasPlace)
    return {
      confidence: 0.9,
      reason: '3D tiles with every part of the building and its properties.',
      ...onGround,
    };
  if (kind === 'mesh' && modelFormats.has(format ?? ''))
    return {
      confidence: 0.5,
      reason: 'Shown on a globe, each group or node with its attributes, once its placement is set.',
    };
  if (kind !== 'cityModel') return undefined;
  if (!hasPlace) return { confidence: 0.3, reason: 'Shown on a globe once its coordinate system is set.' };
  return {
    confidence: 0.9,
    reason: '3D tiles with every object and its attributes, on the ground of a globe without terrain.',
    ...onGround,
  };
}

/** New maps have no terrain: true heights would float. */
const onGround = { options: { heights: { mode: 'flat' } } };
