import { BytesError } from '../bytes/bytes.ts';
import { maxVertices } from '../mesh-model/mesh-model.ts';
import type { MeshMaterial, MeshModel, MeshObject } from '../mesh-model/mesh-model.ts';
import { openIfc, type IfcReading } from './open-ifc.ts';

/** Reads the products of an IFC file that have a shape, with their attributes. @throws BytesError */
export async function readIfc(content: Uint8Array, reading: IfcReading): Promise<MeshModel> {
  if (!isWhole(content)) reading.onNotice('truncated', '');
  const file = await openIfc(content, reading);
  try {
    const materials = createMaterials();
    const objects: MeshObject[] = [];
    let vertices = 0;
    for await (const { parts, ...product } of file.products()) {
      if (parts.length === 0) continue;
      vertices += parts.reduce((sum, { positions }) => sum + positions.length / 3, 0);
      if (vertices > maxVertices)
        throw new BytesError(
          `its shapes have more than ${maxVertices} vertices, the most that can be read: divide it`,
        );
      const painted = parts.map(({ positions, indices, colour }) => ({
        positions,
        indices,
        uvs: undefined,
        colours: undefined,
        material: materials.numberOf(colour),
      }));
      objects.push({ ...product, parts: painted });
    }
    return { objects, materials: materials.all, place: file.place };
  } finally {
    await file.close();
  }
}

const endBytes = 1 << 10;

/** Whether the file has its last line (ISO 10303-21). */
export const isWhole = (content: Uint8Array): boolean =>
  Buffer.from(content.subarray(-endBytes)).toString('latin1').includes('END-ISO-10303-21');

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
