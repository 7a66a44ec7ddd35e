import { textOf } from './ifc-lines.ts';
import { createAttributeReader } from './ifc-attributes.ts';
import { placeOf } from './ifc-place.ts';
import { openIfc, type IfcFile, type IfcPart } from './open-ifc.ts';
import { BytesError } from '../bytes/bytes.ts';
import { maxVertices } from '../mesh-model/mesh-model.ts';
import type { MeshMaterial, MeshModel, MeshObject, MeshReading } from '../mesh-model/mesh-model.ts';

type IfcReading = Pick<MeshReading, 'onNotice'>;

/** Reads the products of an IFC file that have a shape, with their attributes. @throws BytesError */
export async function readIfc(content: Uint8Array, { onNotice }: IfcReading): Promise<MeshModel> {
  if (!isWhole(content)) onNotice('truncated', '');
  const file = await openIfc(content);
  try {
    const attributesOf = createAttributeReader(file);
    const materials = createMaterials();
    const objects: MeshObject[] = [];
    let vertices = 0;
    for (const product of file.products) {
      const parts = shapeOf(file, product, onNotice).map(({ positions, indices, colour }) => ({
        positions,
        indices,
        uvs: undefined,
        colours: undefined,
        material: materials.numberOf(colour),
      }));
      if (parts.length === 0) continue;
      vertices += parts.reduce((sum, { positions }) => sum + positions.length / 3, 0);
      if (vertices > maxVertices)
        throw new BytesError(
          `its shapes have more than ${maxVertices} vertices, the most that can be read: divide it`,
        );
      const name = textOf(file.lineOf(product)?.['GlobalId']) ?? '';
      objects.push({ name, class: file.typeOf(product), attributes: attributesOf(product), parts });
    }
    return { objects, materials: materials.all, place: placeOf(file) };
  } finally {
    file.close();
  }
}

const endBytes = 1 << 10;

/** Whether the file has its last line (ISO 10303-21). */
export const isWhole = (content: Uint8Array): boolean =>
  Buffer.from(content.subarray(-endBytes)).toString('latin1').includes('END-ISO-10303-21');

/** The parts of a product; none if it has no shape. Tells shapes that cannot be made. */
export function shapeOf(file: IfcFile, product: number, onNotice: IfcReading['onNotice']): IfcPart[] {
  const hasShape = file.lineOf(product)?.['Representation'] != null;
  try {
    const all = file.partsOf(product);
    const parts = all.map(withoutBadTriangles).filter(({ indices }) => indices.length > 0);
    if (trianglesOf(parts) < trianglesOf(all))
      onNotice('badPositions', `${file.typeOf(product)} #${product}`);
    if (parts.length === 0 && hasShape) onNotice('unsupportedPart', `${file.typeOf(product)} #${product}`);
    return parts;
  } catch {
    onNotice('unsupportedPart', `${file.typeOf(product)} #${product}`);
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

function createMaterials() {
  const all: MeshMaterial[] = [];
  const numbers = new Map<string, number>();
  return {
    all,
    numberOf(colour: NonNullable<MeshMaterial['colour']>): number {
      const key = colour.join(' ');
      let number = numbers.get(key);
      if (number === undefined) {
        number = all.push({ colour, image: undefined, repeats: false }) - 1;
        numbers.set(key, number);
      }
      return number;
    },
  };
}
