import { isGlb } from '../mesh/glb.ts';
import { looksLikeObj } from '../mesh/scan-obj.ts';
import { stlTriangles } from '../mesh/stl.ts';
import { looksLikeGltf } from './looks-like-gltf.ts';

const headerBytes = 16 << 10;

type RecognisedFormat = 'obj' | 'gltf' | 'ply' | 'stl' | 'asciiStl' | 'ifc';
/** `tile` is a content of a tileset, which the tileset tells. */
export type MeshFormat = RecognisedFormat | 'tile';

/** The format of a model by its beginning. @param size of the whole file, in bytes */
export function recogniseMesh(head: Buffer, size: number): RecognisedFormat | undefined {
  if (isGlb(head) || looksLikeGltf(head, size)) return 'gltf';
  const text = head.toString('latin1', 0, 512);
  if (isIfc(head)) return 'ifc';
  if (/^ply\r?\n/.test(text)) return 'ply';
  if (stlTriangles(head, size) !== undefined) return 'stl';
  if (/^\s*solid\b[^\n]*\n\s*(?:facet\s+normal|endsolid)\b/.test(text)) return 'asciiStl';
  return looksLikeObj(head) ? 'obj' : undefined;
}

/** STEP files (ISO 10303-21) of a schema of IFC; the header comes first. */
const isIfc = (head: Buffer): boolean =>
  /^\s*ISO-10303-21\s*;/.test(head.toString('latin1', 0, 64)) &&
  /FILE_SCHEMA\s*\(\s*\(\s*'IFC/i.test(head.toString('latin1', 0, headerBytes));
