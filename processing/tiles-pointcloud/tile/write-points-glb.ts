import { createGlbBuffer, writeGlb } from '@platen/formats/gltf/write-glb';
import type { PointPositions, PointProperty, PointTile } from '@platen/formats/tiles-3d/write-pnts';
import { packVertices, type GlbParts } from '../../models/glb/encode-primitive.ts';
import { packedBuffers } from '../../models/glb/packed-buffers.ts';

/**
 * A tile of points as a GLB (3D Tiles 1.1): one draw call of points, vertices packed by EXT_meshopt_compression, properties as
 * property attributes of EXT_structural_metadata, each in a view of its own. y is up, as in all glTF.
 */
export function writePointsGlb({ count, positions, colours, properties }: PointTile): Uint8Array {
  const parts: GlbParts = { buffer: createGlbBuffer(), accessors: [], packedViews: [] };
  const add = (values: Uint8Array | Uint16Array | Float32Array, width: number, fields: object): number => {
    const vertices = alignVertices(values, count, width);
    const packedView = packVertices(parts, vertices.bytes, { count, byteStride: vertices.byteStride });
    return (
      parts.accessors.push({ packedView, count, componentType: componentOf(values).code, ...fields }) - 1
    );
  };
  const { values, node } = upright(positions);
  const attributes: Record<string, number> = {
    POSITION: add(values, 3, { type: 'VEC3', ...boundsOf(values) }),
  };
  if (colours !== undefined)
    attributes['COLOR_0'] = add(linearColours(colours), 3, { type: 'VEC3', normalized: true });
  for (const { name, values: own } of properties) attributes[`_${name}`] = add(own, 1, { type: 'SCALAR' });
  const { bufferViews, buffers } = packedBuffers(parts);
  const required = [
    'EXT_meshopt_compression',
    ...(positions.kind === 'quantized' ? ['KHR_mesh_quantization'] : []),
  ];
  const hasProperties = properties.length > 0;
  const json = {
    asset: { version: '2.0', generator: 'Platen' },
    extensionsUsed: [
      ...required,
      'KHR_materials_unlit',
      ...(hasProperties ? ['EXT_structural_metadata'] : []),
    ],
    extensionsRequired: required,
    ...(hasProperties && { extensions: { EXT_structural_metadata: metadataOf(properties) } }),
    scene: 0,
    scenes: [{ nodes: [0] }],
    nodes: [{ mesh: 0, ...node }],
    meshes: [
      {
        primitives: [
          {
            mode: 0,
            attributes,
            material: 0,
            ...(hasProperties && { extensions: { EXT_structural_metadata: { propertyAttributes: [0] } } }),
          },
        ],
      },
    ],
    materials: [{ pbrMetallicRoughness: { metallicFactor: 0 }, extensions: { KHR_materials_unlit: {} } }],
    accessors: parts.accessors,
    bufferViews,
    buffers,
  };
  return writeGlb(json, parts.buffer.content());
}

/** x, y, z as x, z, −y, and the node that moves them to where they are. */
function upright(positions: PointPositions): {
  readonly values: Uint16Array | Float32Array;
  readonly node: object;
} {
  const { kind, values } = positions;
  const turned = values.slice();
  for (let i = 0; i < values.length; i += 3) {
    turned[i + 1] = values[i + 2]!;
    turned[i + 2] = kind === 'quantized' ? steps - values[i + 1]! : -values[i + 1]!;
  }
  if (positions.kind === 'float') {
    const [x = 0, y = 0, z = 0] = positions.centre;
    return { values: turned, node: { translation: [x, z, -y] } };
  }
  const [x = 0, y = 0, z = 0] = positions.offset;
  const [width = 1, depth = 1, height = 1] = positions.scale;
  return {
    values: turned,
    node: {
      translation: [x, z, -(y + depth)],
      scale: [width / steps, height / steps, depth / steps],
    },
  };
}

const steps = 65_535;

function boundsOf(values: Uint16Array | Float32Array): { readonly min: number[]; readonly max: number[] } {
  const min = [Infinity, Infinity, Infinity];
  const max = [-Infinity, -Infinity, -Infinity];
  for (let i = 0; i < values.length; i++) {
    min[i % 3] = Math.min(min[i % 3]!, values[i]!);
    max[i % 3] = Math.max(max[i % 3]!, values[i]!);
  }
  return { min, max };
}

/** Colours of glTF are linear: 8 bits would lose the dark ones. The formula of sRGB is that of IEC 61966-2-1. */
const linear = Uint16Array.from({ length: 256 }, (_, value) => {
  const share = value / 255;
  return Math.round(65_535 * (share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4));
});
const linearColours = (colours: Uint8Array): Uint16Array =>
  Uint16Array.from(colours, (value) => linear[value]!);

const components = {
  Uint8Array: { code: 5121, name: 'UINT8' },
  Uint16Array: { code: 5123, name: 'UINT16' },
  Float32Array: { code: 5126, name: 'FLOAT32' },
} as const;
const componentOf = (values: Uint8Array | Uint16Array | Float32Array) =>
  components[values.constructor.name as keyof typeof components];

/** Attributes of vertices begin at multiples of four bytes. */
function alignVertices(
  values: Uint8Array | Uint16Array | Float32Array,
  count: number,
  width: number,
): { readonly bytes: Uint8Array; readonly byteStride: number } {
  const used = width * values.BYTES_PER_ELEMENT;
  const byteStride = Math.ceil(used / 4) * 4;
  const source = new Uint8Array(values.buffer, values.byteOffset, values.byteLength);
  if (used === byteStride) return { bytes: source, byteStride };
  const bytes = new Uint8Array(count * byteStride);
  for (let i = 0; i < count; i++) bytes.set(source.subarray(i * used, (i + 1) * used), i * byteStride);
  return { bytes, byteStride };
}

function metadataOf(properties: readonly PointProperty[]): object {
  const [described, named] = [{}, {}] as [Record<string, object>, Record<string, object>];
  for (const { name, values, title, noData } of properties) {
    described[name] = {
      ...(title !== undefined && { name: title }),
      type: 'SCALAR',
      componentType: componentOf(values).name,
      ...(noData === undefined ? { required: true } : { noData }),
    };
    named[name] = { attribute: `_${name}` };
  }
  return {
    schema: { id: 'points', classes: { point: { properties: described } } },
    propertyAttributes: [{ class: 'point', properties: named }],
  };
}
