import type { InspectionReport } from '@platen/contract/inspect';
import type { JobSuggestion } from '../job-suggestion.ts';

const formats = new Set(['obj', 'gltf', 'glb', 'ply', 'stl']);
/** Triangles of a file that is one surface rather than a building. */
const many = 50_000;

/** Suggests levels of detail for meshes, with more confidence the larger they are, and another version for tilesets. */
export function suggest({ kind, format, layers }: InspectionReport): JobSuggestion | undefined {
  if (
    kind === 'tileset' &&
    format === '3dtiles' &&
    layers.some(({ details }) => details?.['content'] === 'meshes')
  )
    return {
      confidence: 0.3,
      reason: 'Converted to another version of 3D Tiles, or merged with other tilesets.',
    };
  if (kind !== 'mesh' || !formats.has(format ?? '')) return undefined;
  const triangles = layers.reduce((sum, { featureCount }) => sum + (featureCount ?? 0), 0);
  return {
    confidence: triangles > many ? 0.6 : 0.4,
    reason: 'A surface of any size in levels of detail, such as photogrammetry, once its placement is set.',
  };
}
