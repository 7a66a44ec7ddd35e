import { BytesError, type Bytes } from '@platen/formats/bytes/bytes';
import { collectBeginning } from '@platen/formats/bytes/read-beginning';
import { isGlb } from '@platen/formats/mesh/glb';
import { looksLikeObj } from '@platen/formats/mesh/scan-obj';
import { stlTriangles } from '@platen/formats/mesh/stl';
import type { FileSubject } from '../city-model/finish-city-model.ts';
import type { Finding, Inspecting, Inspector } from '../inspector.ts';
import { describeGltf } from './describe-gltf.ts';
import { describeObj } from './describe-obj.ts';
import { describePly } from './describe-ply.ts';
import { describeAsciiStl, describeStl } from './describe-stl.ts';
import { looksLikeGltf } from './looks-like-gltf.ts';

const headBytes = 1 << 16;

/** Models without a place of their own: glTF, GLB, OBJ, PLY and STL; OBJ and ASCII STL also gzipped. */
export const inspectMesh: Inspector = async (subject, inspecting) => {
  const { bytes } = subject;
  if (bytes === undefined) return undefined;
  try {
    return await describe({ ...subject, bytes }, inspecting);
  } catch (error) {
    if (!(error instanceof BytesError)) throw error;
    inspecting.issues.add('brokenFile', `${subject.name}: ${error.message}.`);
    return undefined;
  }
};

async function describe(file: FileSubject, inspecting: Inspecting): Promise<Finding | undefined> {
  const head = await headOf(file.bytes);
  if (head === undefined) return undefined;
  if (isGlb(head) || looksLikeGltf(head, file.bytes.size)) return describeGltf(file, inspecting);
  const text = head.toString('latin1', 0, 512);
  if (/^ply\r?\n/.test(text)) return describePly(file, head, inspecting);
  const triangles = stlTriangles(head, file.bytes.size);
  if (triangles !== undefined) return describeStl(file, triangles, inspecting);
  if (/^\s*solid\b[^\n]*\n\s*(?:facet\s+normal|endsolid)\b/.test(text))
    return describeAsciiStl(file, inspecting);
  return looksLikeObj(head) ? describeObj(file, inspecting) : undefined;
}

async function headOf(bytes: Bytes): Promise<Buffer | undefined> {
  try {
    return (await collectBeginning(bytes, { mostBytes: headBytes })).content;
  } catch (error) {
    if (error instanceof BytesError) return undefined;
    throw error;
  }
}
