import { BytesError } from '@platen/formats/bytes/bytes';
import { readPlyHeader, samplePly, strideOf, type PlyHeader } from '@platen/formats/mesh/ply';
import type { FileSubject } from '../city-model/describe-city-model.ts';
import type { Finding, InspectionContext } from '../inspector.ts';
import { describeMesh } from './describe-mesh.ts';

const about = { format: 'ply', formatTitle: 'PLY' };

export async function describePly(
  { name, bytes }: FileSubject,
  head: Uint8Array,
  { issues }: InspectionContext,
): Promise<Finding> {
  let header: PlyHeader;
  try {
    header = readPlyHeader(head);
  } catch (error) {
    if (!(error instanceof BytesError)) throw error;
    issues.add('brokenFile', `${name}: ${error.message}.`);
    return { ...about, kind: 'mesh', layers: [], uses: [] };
  }
  const countOf = (element: string) => header.elements.find((one) => one.name === element)?.count ?? 0;
  const [vertices, faces] = [countOf('vertex'), countOf('face')];
  const needed = minBytes(header);
  if (needed > bytes.size) {
    const message = `${name} should have at least ${needed} bytes according to its header, but has ${bytes.size}: it is cut off. Upload it again.`;
    issues.add('truncatedFile', message);
  }
  const { extent, isWhole } = await samplePly(bytes, header);
  const names = header.elements.find((one) => one.name === 'vertex')?.properties.map((one) => one.name) ?? [];
  const finding = describeMesh({
    name,
    issues,
    ...about,
    version: header.version,
    isPointCloud: faces === 0,
    geometryTypes: [faces === 0 ? 'Point' : 'Triangle'],
    featureCount: faces === 0 ? vertices : faces,
    isEstimated: false,
    extent,
    isExtentEstimated: !isWhole,
    details: {
      encoding: header.encoding,
      vertices,
      faces,
      properties: names.slice(0, 100),
      ...(names.includes('f_dc_0') && names.includes('opacity') && { isGaussianSplat: true }),
    },
  });
  if (faces > 0) return finding;
  const textShare = header.encoding === 'ascii' ? 1 : 0;
  const hasColours = names.includes('red');
  const points = { sheets: 1, points: vertices, compressedShare: 0, textShare, hasColours, hasTimes: false };
  return { ...finding, points };
}

/** Minimum size of the file. Elements with lists and ASCII numbers need at least one byte each. */
function minBytes({ elements, encoding, bytes }: PlyHeader): number {
  return elements.reduce((sum, element) => {
    const each = encoding === 'ascii' ? element.properties.length * 2 : (strideOf(element) ?? 1);
    return sum + element.count * each;
  }, bytes);
}
