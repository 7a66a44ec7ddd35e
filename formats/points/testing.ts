const encodings = {
  ascii: undefined,
  binary_little_endian: true,
  binary_big_endian: false,
} as const;

/** A PLY of vertices: coordinates as doubles, bytes for red, green and blue, shorts for others. */
export function writePly(
  encoding: keyof typeof encodings,
  vertices: readonly Readonly<Record<string, number>>[],
  { faces = 0 }: { readonly faces?: number } = {},
): Buffer {
  const names = Object.keys(vertices[0] ?? { x: 0, y: 0, z: 0 });
  const typeOf = (name: string): 'double' | 'uchar' | 'ushort' =>
    ['x', 'y', 'z'].includes(name) ? 'double' : ['red', 'green', 'blue'].includes(name) ? 'uchar' : 'ushort';
  const header = [
    'ply',
    `format ${encoding} 1.0`,
    'comment written by a test',
    `element vertex ${vertices.length}`,
    ...names.map((name) => `property ${typeOf(name)} ${name}`),
    ...(faces > 0 ? [`element face ${faces}`, 'property list uchar int vertex_indices'] : []),
    'end_header\n',
  ].join('\n');
  const isLittle = encodings[encoding];
  if (isLittle === undefined) {
    const rows = vertices.map((vertex) => names.map((name) => vertex[name]).join(' '));
    return Buffer.from(
      header + [...rows, ...Array.from({ length: faces }, () => '3 0 1 2')].join('\n') + '\n',
    );
  }
  const sizes = { double: 8, uchar: 1, ushort: 2 } as const;
  const stride = names.reduce((sum, name) => sum + sizes[typeOf(name)], 0);
  const view = new DataView(new ArrayBuffer(vertices.length * stride + faces * 13));
  let at = 0;
  for (const vertex of vertices)
    for (const name of names) {
      const type = typeOf(name);
      const value = vertex[name]!;
      if (type === 'double') view.setFloat64(at, value, isLittle);
      else if (type === 'uchar') view.setUint8(at, value);
      else view.setUint16(at, value, isLittle);
      at += sizes[type];
    }
  for (let face = 0; face < faces; face++, at += 13) view.setUint8(at, 3);
  return Buffer.concat([Buffer.from(header), Buffer.from(view.buffer)]);
}
