import { BytesError } from '@platen/formats/bytes/bytes';
import { readBeginning } from '@platen/formats/bytes/read-beginning';
import { scanObj, texturesOfMtl, type ObjScan } from '@platen/formats/mesh/scan-obj';
import type { FileSubject } from '../city-model/describe-city-model.ts';
import type { Finding, InspectionContext } from '../inspector.ts';
import { checkReferencedFiles } from '../place/check-referenced-files.ts';
import { pathWithin } from '@platen/formats/tiles-3d/path-within';
import { describeMesh } from './describe-mesh.ts';

const sampleBytes = 64 << 20;
const sampleMs = 4000;
const maxLibraryBytes = 8 << 20;
const maxLibraries = 5;

export async function describeObj(subject: FileSubject, context: InspectionContext): Promise<Finding> {
  const { issues } = context;
  const until = performance.now() + sampleMs;
  const isOver = () => context.isOver() || performance.now() > until;
  const beginning = await readBeginning(subject.bytes, { maxBytes: sampleBytes, isOver });
  const scan = await scanObj(beginning.chunks);
  const scale = beginning.isWhole() ? 1 : 1 / Math.max(beginning.share(), 1e-9);
  const count = (value: number) => Math.round(value * scale);
  if (scan.badLines > 0) {
    const message = `${subject.name} has vertices whose coordinates are not three numbers, or faces with fewer than three existing vertices. They are skipped.`;
    issues.add('badGeometry', message, scan.badLines);
  }
  const textures = await texturesOf(subject, scan, context);
  return describeMesh({
    name: subject.name,
    issues,
    format: 'obj',
    formatTitle: 'Wavefront OBJ',
    geometryTypes: scan.faces > 0 ? ['Triangle'] : ['Point'],
    featureCount: count(scan.faces > 0 ? scan.triangles : scan.vertices),
    isEstimated: scale > 1,
    extent: scan.extent,
    isExtentEstimated: scale > 1,
    surfaces: scan.surfaces,
    details: {
      vertices: count(scan.vertices),
      faces: count(scan.faces),
      groups: scan.groups.size,
      materials: scan.materials.size,
      hasNormals: scan.normals > 0,
      hasTextureCoordinates: scan.textureCoordinates > 0,
      hasVertexColours: scan.hasColours,
      ...(scan.libraries.size > 0 && { materialLibraries: [...scan.libraries].slice(0, maxLibraries) }),
      ...(textures && { textures }),
    },
  });
}

async function texturesOf(
  subject: FileSubject,
  { libraries, materials }: ObjScan,
  context: InspectionContext,
) {
  await checkReferencedFiles(subject, libraries, { context, what: 'material libraries (.mtl)' });
  if (libraries.size === 0 && materials.size > 0) {
    const message = `${subject.name} uses materials, but names no material library (mtllib), so it has no colours.`;
    context.issues.add('noMaterials', message);
  }
  const textures = new Set<string>();
  for (const library of [...libraries].slice(0, maxLibraries)) {
    const path = pathWithin('', library);
    const found = path === undefined ? undefined : await subject.find(path);
    if (found === undefined) continue;
    const folder = path!.slice(0, path!.lastIndexOf('/') + 1);
    try {
      const text = Buffer.from(await found.read(0, maxLibraryBytes)).toString('utf8');
      for (const texture of texturesOfMtl(text)) textures.add(folder + texture);
    } catch (error) {
      if (!(error instanceof BytesError)) throw error;
      context.issues.add('brokenFile', `${library}: ${error.message}.`);
    }
  }
  return checkReferencedFiles(subject, textures, { context, what: 'textures' });
}
