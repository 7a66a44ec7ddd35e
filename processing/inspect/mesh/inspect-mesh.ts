import { BytesError, type Bytes } from '@platen/formats/bytes/bytes';
import { collectBeginning } from '@platen/formats/bytes/read-beginning';
import { recogniseMesh } from '@platen/formats/mesh-model/recognise-mesh';
import { stlTriangles } from '@platen/formats/mesh/stl';
import type { FileSubject } from '../city-model/describe-city-model.ts';
import type { Finding, InspectionContext, Inspector } from '../inspector.ts';
import { describeGltf } from './describe-gltf.ts';
import { describeIfc } from './describe-ifc.ts';
import { describeObj } from './describe-obj.ts';
import { describePly } from './describe-ply.ts';
import { describeAsciiStl, describeStl } from './describe-stl.ts';

const headBytes = 1 << 16;

/** Inspects models without georeference: glTF, GLB, OBJ, PLY, STL and IFC; OBJ and ASCII STL also gzipped. */
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
  switch (recogniseMesh(head, file.bytes.size)) {
    case 'gltf':
      return describeGltf(file, context);
    case 'ply':
      return describePly(file, head, context);
    case 'stl':
      return describeStl(file, stlTriangles(head, file.bytes.size)!, context);
    case 'asciiStl':
      return describeAsciiStl(file, context);
    case 'ifc':
      return describeIfc(file, context);
    case 'obj':
      return describeObj(file, context);
    case undefined:
      return undefined;
  }
}

async function headOf(bytes: Bytes): Promise<Buffer | undefined> {
  try {
    return (await collectBeginning(bytes, { maxBytes: headBytes })).content;
  } catch (error) {
    if (error instanceof BytesError) return undefined;
    throw error;
  }
}
