/** A glTF with one triangle or a row of several, whose positions and indices are in one buffer. */
export function triangleGltf(buffer: object, count = 1) {
  return {
    asset: { version: '2.0', generator: 'test' },
    scene: 0,
    scenes: [{ nodes: [0] }],
    nodes: [{ mesh: 0, translation: [100, 0, 0] }] as object[],
    meshes: [{ primitives: [{ attributes: { POSITION: 0 }, indices: 1, material: 0 }] }] as object[],
    materials: [{}],
    accessors: [
      { bufferView: 0, componentType: 5126, count: 3, type: 'VEC3', min: [0, 0, -20], max: [10, 5, 0] },
      { bufferView: 1, componentType: 5123, count: 3 * count, type: 'SCALAR' },
    ] as object[],
    bufferViews: [
      { buffer: 0, byteOffset: 0, byteLength: 36 },
      { buffer: 0, byteOffset: 36, byteLength: 6 * count },
    ],
    buffers: [buffer],
  };
}

/** The buffer of its triangles, y upwards. */
export function triangleBuffer(count = 1): Buffer {
  const buffer = Buffer.alloc(36 + 6 * count + ((6 * count) % 4));
  for (const [i, value] of [0, 0, 0, 10, 0, 0, 10, 5, -20].entries()) buffer.writeFloatLE(value, i * 4);
  for (let i = 0; i < 3 * count; i++) buffer.writeUInt16LE(i % 3, 36 + i * 2);
  return buffer;
}

/** glTF 2.0, clause 4.4. */
export function glbOf(gltf: object, binary = triangleBuffer()): Buffer {
  const text = JSON.stringify(gltf);
  const json = Buffer.from(text.padEnd(Math.ceil(Buffer.byteLength(text) / 4) * 4));
  const header = Buffer.alloc(20);
  header.write('glTF');
  for (const [i, value] of [2, 28 + json.length + binary.length, json.length, 0x4e4f534a].entries())
    header.writeUInt32LE(value, 4 + i * 4);
  const second = Buffer.alloc(8);
  second.writeUInt32LE(binary.length, 0);
  second.writeUInt32LE(0x004e4942, 4);
  return Buffer.concat([header, json, second, binary]);
}

export const triangleGlb = (): Buffer => glbOf(triangleGltf({ byteLength: 44 }));
