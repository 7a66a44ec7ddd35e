import { readBeginning } from '@platen/formats/bytes/read-beginning';
import { scanAsciiStl } from '@platen/formats/mesh/scan-ascii-stl';
import { sampleStl } from '@platen/formats/mesh/stl';
import type { FileSubject } from '../city-model/describe-city-model.ts';
import type { Finding, InspectionContext } from '../inspector.ts';
import { describeMesh } from './describe-mesh.ts';

const sampleBytes = 64 << 20;
const about = { format: 'stl', formatTitle: 'STL', geometryTypes: ['Triangle'] };

export async function describeStl(
  { name, bytes }: FileSubject,
  triangles: number,
  { issues }: InspectionContext,
): Promise<Finding> {
  const available = Math.floor((bytes.size - 84) / 50);
  if (available < triangles) {
    const message = `${name} should have ${triangles} triangles according to its header, but ends after ${available}: it is cut off. Upload it again.`;
    issues.add('truncatedFile', message);
  }
  const { extent, surfaces, isWhole } = await sampleStl(bytes, Math.min(available, triangles));
  return describeMesh({
    name,
    issues,
    ...about,
    featureCount: Math.min(available, triangles),
    isEstimated: false,
    extent,
    isExtentEstimated: !isWhole,
    surfaces,
    details: { encoding: 'binary' },
  });
}

export async function describeAsciiStl(
  { name, bytes }: FileSubject,
  { issues, isOver }: InspectionContext,
): Promise<Finding> {
  const beginning = await readBeginning(bytes, { maxBytes: sampleBytes, isOver });
  const { triangles, extent, surfaces, isClosed, badLines } = await scanAsciiStl(beginning.chunks);
  const scale = beginning.isWhole() ? 1 : 1 / Math.max(beginning.share(), 1e-9);
  if (scale === 1 && !isClosed)
    issues.add('truncatedFile', `${name} has no "endsolid": a part of it is missing. Upload it again.`);
  if (badLines > 0)
    issues.add('badGeometry', `${name} has vertices whose coordinates are not three numbers.`, badLines);
  return describeMesh({
    name,
    issues,
    ...about,
    featureCount: triangles * scale,
    isEstimated: scale > 1,
    extent,
    isExtentEstimated: scale > 1,
    surfaces,
    details: { encoding: 'ascii' },
  });
}
