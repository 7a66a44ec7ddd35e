import type { MeshReading } from '../mesh-model/mesh-model.ts';
import { IfcFault, type IfcModel, type IfcPart } from './ifc-model.ts';

/** The parts of a product; none if it has no shape. Tells shapes that cannot be made. @throws IfcFault */
export function shapeOf(model: IfcModel, product: number, onNotice: MeshReading['onNotice']): IfcPart[] {
  const hasShape = model.lineOf(product)?.['Representation'] != null;
  try {
    const all = model.partsOf(product);
    const parts = all.map(withoutBadTriangles).filter(({ indices }) => indices.length > 0);
    if (trianglesOf(parts) < trianglesOf(all))
      onNotice('badPositions', `${model.typeOf(product)} #${product}`);
    if (parts.length === 0 && hasShape) onNotice('unsupportedPart', `${model.typeOf(product)} #${product}`);
    return parts;
  } catch (error) {
    if (error instanceof IfcFault) throw error;
    onNotice('unsupportedPart', `${model.typeOf(product)} #${product}`);
    return [];
  }
}

const trianglesOf = (parts: readonly IfcPart[]): number =>
  parts.reduce((sum, { indices }) => sum + indices.length / 3, 0);

/** Without triangles that have a vertex that does not exist, or is not finite. */
function withoutBadTriangles(part: IfcPart): IfcPart {
  const { positions, indices } = part;
  const isGood = (vertex: number): boolean => {
    const at = vertex * 3;
    return Number.isFinite(positions[at]! + positions[at + 1]! + positions[at + 2]!);
  };
  if (indices.length % 3 === 0 && indices.every(isGood)) return part;
  const kept: number[] = [];
  for (let i = 0; i + 2 < indices.length; i += 3) {
    const corners = indices.subarray(i, i + 3);
    if (corners.every(isGood)) kept.push(...corners);
  }
  return { ...part, indices: Uint32Array.from(kept) };
}
