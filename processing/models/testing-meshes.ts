import { createGlbBuffer, writeGlb } from '@platen/formats/gltf/write-glb';

export type Point = readonly [x: number, y: number, z: number];

/** The corners of a box, and its faces seen from outside: bottom, top and four walls. */
export function boxOf([x, y, z]: Point, [dx, dy, dz]: Point) {
  const corners = Array.from({ length: 8 }, (_, i): Point => [
    x + (i & 1) * dx,
    y + ((i >> 1) & 1) * dy,
    z + (i >> 2) * dz,
  ]);
  const faces = [
    [0, 2, 3, 1],
    [4, 5, 7, 6],
    [0, 1, 5, 4],
    [1, 3, 7, 5],
    [3, 2, 6, 7],
    [2, 0, 4, 6],
  ];
  return { corners, faces, triangles: faces.flatMap(([a, b, c, d]) => [a!, b!, c!, a!, c!, d!]) };
}

/** Boxes as an OBJ, each with its name; the image is whole on each face. */
export function objOfBoxes(
  boxes: Readonly<Record<string, readonly [at: Point, size: Point]>>,
  head = '',
): string {
  const lines = [head, 'vt 0 0', 'vt 1 0', 'vt 1 1', 'vt 0 1'];
  let first = 1;
  for (const [name, [at, size]] of Object.entries(boxes)) {
    const { corners, faces } = boxOf(at, size);
    lines.push(`o ${name}`, 'usemtl wall', ...corners.map((corner) => `v ${corner.join(' ')}`));
    for (const face of faces)
      lines.push(`f ${face.map((corner, i) => `${first + corner}/${i + 1}`).join(' ')}`);
    first += 8;
  }
  return lines.join('\n');
}

/** A box as an ASCII PLY with red vertices at the bottom and green ones at the top. */
export function plyOfBox(at: Point, size: Point): string {
  const { corners, faces } = boxOf(at, size);
  return [
    'ply\nformat ascii 1.0',
    'element vertex 8\nproperty double x\nproperty double y\nproperty double z',
    'property uchar red\nproperty uchar green\nproperty uchar blue',
    'element face 6\nproperty list uchar int vertex_indices\nend_header',
    ...corners.map((corner, i) => `${corner.join(' ')} ${i < 4 ? '255 0 0' : '0 255 0'}`),
    ...faces.map((face) => `4 ${face.join(' ')}`),
    '',
  ].join('\n');
}

/** A box as a binary STL. */
export function stlOfBox(at: Point, size: Point): Buffer {
  const { corners, triangles } = boxOf(at, size);
  const bytes = Buffer.alloc(84 + (triangles.length / 3) * 50);
  bytes.writeUInt32LE(triangles.length / 3, 80);
  for (const [i, corner] of triangles.entries())
    for (const [axis, value] of corners[corner]!.entries())
      bytes.writeFloatLE(value, 84 + Math.floor(i / 3) * 50 + 12 + (i % 3) * 12 + axis * 4);
  return bytes;
}

export interface GlbSample {
  readonly image?: Uint8Array;
  readonly extras?: object;
  /** Changes the JSON before it is written. */
  readonly change?: (json: Record<string, unknown>) => void;
}

/**
 * A GLB of a box of 1 m, y upwards, with quantised positions: a node `site` with the node `house` in it, which makes it
 * 20 × 10 × 5 m (x, y, z).
 */
export function glbOfBox({ image, extras = {}, change }: GlbSample = {}): Uint8Array {
  const { corners, triangles } = boxOf([0, 0, 0], [1, 1, 1]);
  const buffer = createGlbBuffer();
  const positions = new Uint8Array(8 * 4);
  for (const [i, [x, y, z]] of corners.entries()) positions.set([x * 255, z * 255, (1 - y) * 255, 0], i * 4);
  const uvs = Float32Array.from(corners.flatMap(([x, , z]) => [x, 1 - z]));
  buffer.addView(positions, { byteStride: 4 });
  buffer.addView(new Uint8Array(Uint16Array.from(triangles).buffer));
  buffer.addView(new Uint8Array(uvs.buffer));
  if (image !== undefined) buffer.addView(image);
  const json: Record<string, unknown> = {
    asset: { version: '2.0' },
    extensionsUsed: ['KHR_mesh_quantization'],
    extensionsRequired: ['KHR_mesh_quantization'],
    scene: 0,
    scenes: [{ nodes: [0] }],
    nodes: [
      { name: 'site', children: [1] },
      { name: 'house', mesh: 0, scale: [20, 5, 10], translation: [0, 0, -10], extras },
    ],
    meshes: [{ primitives: [{ attributes: { POSITION: 0, TEXCOORD_0: 2 }, indices: 1, material: 0 }] }],
    materials: [
      image === undefined
        ? { pbrMetallicRoughness: { baseColorFactor: [1, 0, 0, 1] } }
        : { pbrMetallicRoughness: { baseColorTexture: { index: 0 } } },
    ],
    ...(image !== undefined && {
      textures: [{ source: 0 }],
      images: [{ bufferView: 3, mimeType: 'image/png' }],
    }),
    accessors: [
      {
        bufferView: 0,
        componentType: 5121,
        normalized: true,
        count: 8,
        type: 'VEC3',
        min: [0, 0, 0],
        max: [255, 255, 255],
      },
      { bufferView: 1, componentType: 5123, count: 36, type: 'SCALAR' },
      { bufferView: 2, componentType: 5126, count: 8, type: 'VEC2' },
    ],
    bufferViews: buffer.bufferViews,
    buffers: [{ byteLength: buffer.length }],
  };
  change?.(json);
  return writeGlb(json, buffer.content());
}
