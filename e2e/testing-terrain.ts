const equatorMetres = 6_378_137;
/** Rows and columns of a tile's grid. */
const steps = 64;

/** Terrain without a hill: the two root tiles, of quantized-mesh 1.0, and what describes them. */
export function terrainFiles(): [name: string, content: string | Buffer][] {
  const layer = {
    tilejson: '2.1.0',
    format: 'quantized-mesh-1.0',
    version: '1.0.0',
    scheme: 'tms',
    projection: 'EPSG:4326',
    tiles: ['{z}/{x}/{y}.terrain?v={version}'],
    bounds: [-180, -90, 180, 90],
    minzoom: 0,
    maxzoom: 0,
    available: [[{ startX: 0, startY: 0, endX: 1, endY: 0 }]],
  };
  return [
    ['layer.json', JSON.stringify(layer)],
    ['0/0/0.terrain', hemisphere(-90)],
    ['0/1/0.terrain', hemisphere(90)],
  ];
}

/** A mesh from pole to pole around a longitude. */
function hemisphere(longitude: number): Buffer {
  const angle = (longitude * Math.PI) / 180;
  const header = Buffer.alloc(88);
  header.writeDoubleLE(equatorMetres, 56); // the bounding sphere is that of the Earth
  header.writeDoubleLE(Math.cos(angle) * 1000, 64); // far enough that the horizon never hides it
  header.writeDoubleLE(Math.sin(angle) * 1000, 72);
  const { vertices, codes } = grid();
  const quantized = (step: number) => Math.round((step / steps) * 32_767);
  const edge = (isOnIt: (vertex: Vertex) => boolean) =>
    withCount(
      vertices.flatMap((vertex, i) => (isOnIt(vertex) ? i : [])),
      1,
    );
  return Buffer.concat([
    header,
    wholeNumber(vertices.length),
    differences(vertices.map(([column]) => quantized(column))),
    differences(vertices.map(([, row]) => quantized(row))),
    differences(vertices.map(() => 0)),
    withCount(codes, 3),
    edge(([column]) => column === 0),
    edge(([, row]) => row === 0),
    edge(([column]) => column === steps),
    edge(([, row]) => row === steps),
  ]);
}

type Vertex = readonly [column: number, row: number];

/**
 * Vertices in order of first use, and for each use its distance from the highest index so far (high-water mark
 * encoding).
 */
function grid(): { vertices: Vertex[]; codes: number[] } {
  const numbers = new Map<string, number>();
  const vertices: Vertex[] = [];
  const codes: number[] = [];
  for (let cell = 0; cell < steps * steps; cell++) {
    const [column, row] = [cell % steps, Math.floor(cell / steps)];
    for (const [dx, dy] of [
      [0, 0],
      [1, 0],
      [0, 1],
      [0, 1],
      [1, 0],
      [1, 1],
    ] as const) {
      const vertex: Vertex = [column + dx, row + dy];
      const known = numbers.get(vertex.join());
      codes.push(known === undefined ? 0 : vertices.length - known);
      if (known !== undefined) continue;
      numbers.set(vertex.join(), vertices.length);
      vertices.push(vertex);
    }
  }
  return { vertices, codes };
}

/** Zigzag-encoded differences of consecutive values. */
function differences(values: readonly number[]): Buffer {
  return shorts(
    values.map((value, i) => {
      const step = value - (values[i - 1] ?? 0);
      return ((step << 1) ^ (step >> 31)) & 0xffff;
    }),
  );
}

function withCount(numbers: readonly number[], each: number): Buffer {
  return Buffer.concat([wholeNumber(numbers.length / each), shorts(numbers)]);
}

const shorts = (numbers: readonly number[]) => Buffer.from(Uint16Array.from(numbers).buffer);
const wholeNumber = (value: number) => Buffer.from(Uint32Array.of(value).buffer);
