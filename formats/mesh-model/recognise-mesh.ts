import { isGlb } from '../mesh/glb.ts';
import { looksLikeObj } from '../mesh/scan-obj.ts';
import { stlTriangles } from '../mesh/stl.ts';
import { looksLikeGltf } from './looks-like-gltf.ts';

export type MeshFormat = 'obj' | 'gltf' | 'ply' | 'stl' | 'asciiStl';

/** The format of a model by its beginning. @param size of the whole file, in bytes */
export function recogniseMesh(head: Buffer, size: number): MeshFormat | undefined {
  if (isGlb(head) || looksLikeGltf(head, size)) return 'gltf';
  const text = head.toString('latin1', 0, 512);
  if (/^ply\r?\n/.test(text)) return 'ply';
  if (stlTriangles(head, size) !== undefined) return 'stl';
  if (/^\s*solid\b[^\n]*\n\s*(?:facet\s+normal|endsolid)\b/.test(text)) return 'asciiStl';
  return looksLikeObj(head) ? 'obj' : undefined;
}
