import { BytesError, type Bytes } from '@platen/formats/bytes/bytes';
import { collectBeginning } from '@platen/formats/bytes/read-beginning';
import { isGlb } from '@platen/formats/mesh/glb';
import { looksLikeObj } from '@platen/formats/mesh/scan-obj';
import { stlTriangles } from '@platen/formats/mesh/stl';
import type { FileSubject } from '../city-model/describe-city-model.ts';
import type { Finding, InspectionContext, Inspector } from '../inspector.ts';
import { describeGltf } from './describe-gltf.ts';
import { describeObj } from './describe-obj.ts';
import { describePly } from './describe-ply.ts';
import { describeAsciiStl, describeStl } from './describe-stl.ts';
import { looksLikeGltf } from './looks-like-gltf.ts';

const headBytes = 1 << 16;

/** Inspects models without georeference: glTF, GLB, OBJ, PLY and STL; OBJ and ASCII STL also gzipped. */
export const inspectMesh: Inspector = async (subject, context) => {
  const { bytes } = subject;
  if (bytes === undefined) return undefined;
  try {
    return await describe({ ...subject, bytes }, context);
  } catch (error) {
    if (!(error instanceof BytesError)) throw error;
    context.issues.add('brokenFile', `${subject.name}: ${error.message}.`);
    return undefined;
  }
};

async function describe(file: FileSubject, context: InspectionContext): Promise<Finding | undefined> {
  const head = await headOf(file.bytes);
  if (head === undefined) return undefined;
  if (isGlb(head) || looksLikeGltf(head, file.bytes.size)) return describeGltf(file, context);
  const text = head.toString('latin1', 0, 512);
  if (/^ply\r?\n/.test(text)) return describePly(file, head, context);
  const triangles = stlTriangles(head, file.bytes.size);
  if (triangles !== undefined) return describeStl(file, triangles, context);
  if (/^\s*solid\b[^\n]*\n\s*(?:facet\s+normal|endsolid)\b/.test(text))
    return describeAsciiStl(file, context);
  return looksLikeObj(head) ? describeObj(file, context) : undefined;
}

async function headOf(bytes: Bytes): Promise<Buffer | undefined> {
  try {
    return (await collectBeginning(bytes, { maxBytes: headBytes })).content;
  } catch (error) {
    if (error instanceof BytesError) return undefined;
    throw error;
  }
}
