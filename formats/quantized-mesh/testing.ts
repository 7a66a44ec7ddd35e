/** A tile of two triangles, whose south-western corner is the lowest. */
export function writeMesh(minHeight: number, maxHeight: number): Buffer {
  const header = Buffer.alloc(88);
  header.writeFloatLE(minHeight, 24);
  header.writeFloatLE(maxHeight, 28);
  const corners = {
    u: [0, 32_767, 0, 32_767],
    v: [0, 0, 32_767, 32_767],
    height: [0, 16_000, 16_000, 32_767],
  };
  const count = Buffer.alloc(4);
  count.writeUInt32LE(4);
  const triangles = Buffer.alloc(4 + 12);
  triangles.writeUInt32LE(2);
  // high-water marks of 0 1 2, 1 3 2
  for (const [i, code] of [0, 0, 0, 2, 0, 2].entries()) triangles.writeUInt16LE(code, 4 + i * 2);
  const edges = [
    [0, 2],
    [0, 1],
    [1, 3],
    [2, 3],
  ].map((edge) => {
    const buffer = Buffer.alloc(4 + edge.length * 2);
    buffer.writeUInt32LE(edge.length);
    for (const [i, vertex] of edge.entries()) buffer.writeUInt16LE(vertex, 4 + i * 2);
    return buffer;
  });
  const normals = Buffer.concat([Buffer.from([1, 8, 0, 0, 0]), Buffer.alloc(8)]);
  const coordinates = [corners.u, corners.v, corners.height].map(differences);
  return Buffer.concat([header, count, ...coordinates, triangles, ...edges, normals]);
}

function differences(values: readonly number[]): Buffer {
  const buffer = Buffer.alloc(values.length * 2);
  for (const [i, value] of values.entries()) {
    const step = value - (values[i - 1] ?? 0);
    buffer.writeUInt16LE(((step << 1) ^ (step >> 31)) & 0xffff, i * 2);
  }
  return buffer;
}
