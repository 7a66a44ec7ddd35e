import { asIndex } from '../../json/read-values.ts';
import type { DracoExtension, Gltf, GltfPrimitive } from '../gltf.ts';
import type { ReadBuffer } from '../read-accessor.ts';
import { decodeDraco, type DecodedDraco, type DecodedValues } from './decode-draco.ts';
import { readDracoHeader } from './read-draco-header.ts';

/** Reads what primitives have by KHR_draco_mesh_compression. Undefined if that is damaged, or too much. */
export type ReadDraco = (extension: DracoExtension) => Promise<DecodedDraco | undefined>;

export interface DracoLimits {
  /** Of all packed meshes together, with those that turn out to be damaged: these take as long. */
  readonly maxFaces: number;
  /** Of each packed mesh. */
  readonly maxBytes: number;
}

/** Reads the packed meshes of a glTF, each once. */
export function createDracoReader(
  gltf: Gltf,
  read: ReadBuffer,
  { maxFaces, maxBytes }: DracoLimits,
): ReadDraco {
  const known = new Map<number, DecodedDraco | undefined>();
  let left = maxFaces;
  return async ({ bufferView: number }) => {
    if (known.has(number)) return known.get(number);
    const view = gltf.bufferViews[number];
    const bytes =
      view === undefined || view.isCompressed || view.byteLength > maxBytes
        ? undefined
        : await read(view.buffer, view.byteOffset, view.byteLength);
    let mesh: DecodedDraco | undefined;
    if (bytes !== undefined && bytes.length >= view!.byteLength) {
      const header = readDracoHeader(bytes);
      mesh = await decodeDraco(bytes, left, header);
      if (header !== undefined && header.faces <= left) left -= header.faces;
    }
    known.set(number, mesh);
    return mesh;
  };
}

/** The values of accessors of a primitive that are packed, which count instead of what these say. */
export function decodedAccessors(
  { attributes, draco }: Pick<GltfPrimitive, 'attributes' | 'draco'>,
  packed: DecodedDraco,
): ReadonlyMap<number, DecodedValues> {
  const decoded = new Map<number, DecodedValues>();
  for (const [name, id] of Object.entries(draco?.attributes ?? {})) {
    const accessor = asIndex(attributes[name]);
    const values = packed.attributes.get(asIndex(id) ?? -1);
    if (accessor !== undefined && values !== undefined) decoded.set(accessor, values);
  }
  return decoded;
}
