import { BytesError } from '@platen/formats/bytes/bytes';
import { emptyExtent } from '@platen/formats/mesh/extent';
import type { Gltf } from '@platen/formats/mesh/gltf';
import { measureGltf, type GltfMeasures } from '@platen/formats/mesh/measure-gltf';
import { openGltf, type OpenGltf } from '@platen/formats/mesh/open-gltf';
import { sampleTriangles } from '@platen/formats/mesh/sample-triangles';
import { readyToUnpack, unpackMeshopt } from '@platen/formats/mesh/unpack-meshopt';
import { createSurfaceBuffer } from '@platen/formats/mesh/surface-buffer';
import type { FileSubject } from '../city-model/describe-city-model.ts';
import type { Finding, InspectionContext } from '../inspector.ts';
import { checkReferencedFiles } from '../place/check-referenced-files.ts';
import { pathWithin } from '@platen/formats/tiles-3d/path-within';
import { describeMesh } from './describe-mesh.ts';
import { unsupportedGltfExtensions } from './viewer-extensions.ts';

const maxPositions = 600_000;

export async function describeGltf(subject: FileSubject, context: InspectionContext): Promise<Finding> {
  const { name, bytes } = subject;
  const { issues, isOver } = context;
  const isBinary = (await bytes.read(0, 1))[0] === 0x67;
  const about = {
    name,
    issues,
    format: isBinary ? 'glb' : 'gltf',
    formatTitle: isBinary ? 'glTF (binary)' : 'glTF',
  };
  let opened: OpenGltf;
  try {
    opened = await openGltf(bytes, async (uri) => {
      const path = pathWithin('', uri);
      return path === undefined ? undefined : subject.find(path);
    });
  } catch (error) {
    if (!(error instanceof BytesError)) throw error;
    issues.add('brokenFile', `${name}: ${error.message}.`);
    const { format, formatTitle } = about;
    return { format, formatTitle, kind: 'mesh', layers: [], uses: [] };
  }
  const { gltf, faults, read } = opened;
  for (const fault of faults) issues.add('brokenFile', `${name}: ${fault}.`);
  const measures = measureGltf(gltf);
  reportFaults(gltf, measures, { name, context });
  const uris = (list: readonly (string | undefined)[]) =>
    new Set(list.filter((uri) => uri !== undefined && !uri.startsWith('data:')) as string[]);
  const buffers = await checkReferencedFiles(subject, uris(gltf.buffers), { context, what: 'buffers' });
  const images = uris(gltf.images.map(({ uri }) => uri));
  const textures = await checkReferencedFiles(subject, images, { context, what: 'textures' });
  const surfaces = createSurfaceBuffer(maxPositions);
  await readyToUnpack();
  await sampleTriangles(gltf, measures.primitives, surfaces, { read, unpack: unpackMeshopt, isOver });
  return describeMesh({
    ...about,
    version: gltf.version,
    geometryTypes: measures.points > 0 && measures.triangles === 0 ? ['Point'] : ['Triangle'],
    featureCount: measures.triangles + measures.points,
    isEstimated: measures.isCutOff,
    extent: gltf.version?.startsWith('1') === true ? emptyExtent() : measures.extent,
    surfaces,
    isPointCloud: measures.points > 0 && measures.triangles === 0,
    details: {
      ...(gltf.generator !== undefined && { generator: gltf.generator }),
      nodes: gltf.nodes.length,
      meshes: gltf.meshes.length,
      triangles: measures.triangles,
      ...(measures.points > 0 && { points: measures.points }),
      vertices: measures.vertices,
      materials: gltf.materials,
      textures: textures ?? { count: gltf.images.length },
      ...(buffers && { externalBuffers: buffers }),
      ...(gltf.animations > 0 && { animations: gltf.animations }),
      extensionsUsed: gltf.extensionsUsed.slice(0, 50),
      extensionsRequired: gltf.extensionsRequired.slice(0, 50),
    },
  });
}

function reportFaults(
  gltf: Gltf,
  { cycles, dangling, broken, isCutOff }: GltfMeasures,
  { name, context: { issues } }: { name: string; context: InspectionContext },
): void {
  if (gltf.version?.startsWith('2.') !== true) {
    const version = gltf.version?.slice(0, 20) ?? 'none at all';
    issues.add('unknownVersion', `${name} is of glTF version ${version}: convert it to 2.0.`);
  }
  if (cycles > 0) {
    const message = `${name} has nodes that contain themselves, which no program can draw: export it again.`;
    issues.add('cyclicNodes', message, cycles);
  }
  if (dangling + broken > 0) {
    const message = `${name} refers to nodes, meshes or accessors that do not exist: it is damaged.`;
    issues.add('brokenReference', message, dangling + broken);
  }
  if (isCutOff) issues.add('manyNodes', `${name} has more nodes than this report covers.`);
  const unsupported = unsupportedGltfExtensions(gltf.extensionsRequired);
  if (unsupported.length > 0)
    issues.add(
      'unsupportedExtension',
      `${name} requires extensions that the viewer does not support: ${unsupported.join(', ')}. Export it without them.`,
    );
}
