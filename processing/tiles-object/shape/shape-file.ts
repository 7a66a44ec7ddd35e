import { closeSync, openSync } from 'node:fs';
import { readAll } from '@platen/formats/bytes/file-appender';
import type { FileRange, ScratchFile } from '../../kit/scratch-file.ts';
import type { Representation, Shape, ShapeMesh } from './shape.ts';

/*
 * A shape begins with its size in words of four bytes, the bytes of its text and the number of its representations; of each
 * of these follow four counts. Then come doubles, the meshes, and the text in JSON, for attributes and looks. Shapes end
 * at a multiple of 8 bytes, so that meshes need not be copied out of a file that was read.
 */
const headWords = 4;
const countWords = 4;
const ownDoubles = 10;
const alignment = 8;

const alignedTo = (bytes: number, multiple: number): number => Math.ceil(bytes / multiple) * multiple;

let scratch = new ArrayBuffer(1 << 16);

/** The bytes of a shape; valid until the next is packed. */
export function packShape(shape: Shape): Uint8Array {
  const { id, class: name, attributes, looks, place, region, goneError, representations } = shape;
  const text = JSON.stringify([id, name, [...attributes], looks]);
  const maxBytes =
    4 * (headWords + countWords * representations.length) +
    8 * (ownDoubles + representations.length) +
    representations.reduce((sum, { mesh }) => sum + meshBytes(countsOf(mesh)), 0) +
    3 * text.length +
    2 * alignment;
  if (maxBytes > scratch.byteLength) scratch = new ArrayBuffer(2 * maxBytes);
  const words = new Uint32Array(scratch);
  const bytes = new Uint8Array(scratch);
  let word = headWords;
  for (const { mesh } of representations) for (const count of countsOf(mesh)) words[word++] = count;
  let at = word * 4;
  const doubles = [place.lon, place.lat, place.height, ...region, goneError];
  for (const { error } of representations) doubles.push(error);
  new Float64Array(scratch, at, doubles.length).set(doubles);
  at += doubles.length * 8;
  for (const { mesh } of representations) {
    const counts = countsOf(mesh);
    const view = meshAt(scratch, at, counts);
    for (const field of fields) if (mesh[field] !== undefined) view[field]!.set(mesh[field]);
    at += meshBytes(counts);
  }
  const { written } = encoder.encodeInto(text, bytes.subarray(at));
  const end = alignedTo(at + written, alignment);
  bytes.fill(0, at + written, end);
  words[0] = end / 4;
  words[1] = written;
  words[2] = representations.length;
  words[3] = 0;
  return bytes.subarray(0, end);
}

const encoder = new TextEncoder();

function unpackShape(buffer: ArrayBuffer, from: number): Shape {
  const head = new Uint32Array(buffer, from);
  const count = head[2]!;
  let at = from + 4 * (headWords + countWords * count);
  const doubles = new Float64Array(buffer, at, ownDoubles + count);
  at += doubles.length * 8;
  const representations: Representation[] = [];
  for (let i = 0; i < count; i++) {
    const counts = head.subarray(headWords + i * countWords, headWords + (i + 1) * countWords);
    representations.push(new StoredRepresentation(doubles[ownDoubles + i]!, counts, at));
    at += meshBytes(counts);
  }
  const [id, name, attributes, looks] = JSON.parse(Buffer.from(buffer, at, head[1]).toString()) as [
    string,
    string,
    [string, string | number | boolean][],
    Shape['looks'],
  ];
  return {
    id,
    class: name,
    attributes: new Map(attributes),
    place: { lon: doubles[0]!, lat: doubles[1]!, height: doubles[2]! },
    region: [doubles[3]!, doubles[4]!, doubles[5]!, doubles[6]!, doubles[7]!, doubles[8]!],
    looks,
    representations,
    goneError: doubles[9]!,
  };
}

/** Most tiles draw one of several. */
class StoredRepresentation implements Representation {
  readonly error: number;
  readonly #counts: Uint32Array<ArrayBuffer>;
  readonly #at: number;
  #mesh: ShapeMesh | undefined;
  constructor(error: number, counts: Uint32Array<ArrayBuffer>, at: number) {
    this.error = error;
    this.#counts = counts;
    this.#at = at;
  }
  get triangles(): number {
    return this.#counts[1]! / 3;
  }
  get mesh(): ShapeMesh {
    return (this.#mesh ??= meshAt(this.#counts.buffer, this.#at, this.#counts));
  }
}

const fields = [
  'positions',
  'uvs',
  'indices',
  'vertexEnds',
  'indexEnds',
  'normals',
  'looks',
  'roles',
] as const;

type Counts = Uint32Array | readonly number[];

/** Vertices, indices, faces, and vertices with image coordinates. */
const countsOf = ({ positions, indices, roles, uvs }: ShapeMesh): Counts => [
  positions.length / 3,
  indices.length,
  roles.length,
  uvs === undefined ? 0 : uvs.length / 2,
];

const meshBytes = ({ 0: vertices, 1: indices, 2: faces, 3: uvs }: Counts): number =>
  alignedTo(4 * (3 * vertices! + 2 * uvs! + indices! + 6 * faces!) + faces!, 4);

/** A mesh in a buffer, without copying it. */
function meshAt(
  buffer: ArrayBuffer,
  from: number,
  { 0: vertices, 1: indices, 2: faces, 3: uvs }: Counts,
): ShapeMesh {
  let at = from;
  const next = (count: number): number => {
    const start = at;
    at += count * 4;
    return start;
  };
  return {
    positions: new Float32Array(buffer, next(3 * vertices!), 3 * vertices!),
    uvs: uvs! === 0 ? undefined : new Float32Array(buffer, next(2 * uvs!), 2 * uvs!),
    indices: new Uint32Array(buffer, next(indices!), indices),
    vertexEnds: new Uint32Array(buffer, next(faces!), faces),
    indexEnds: new Uint32Array(buffer, next(faces!), faces),
    normals: new Float32Array(buffer, next(3 * faces!), 3 * faces!),
    looks: new Int32Array(buffer, next(faces!), faces),
    roles: new Uint8Array(buffer, at, faces),
  };
}

/** Appends a shape to a scratch file of nothing but shapes. @returns its range; flush the file before others read it */
export function appendShape(file: ScratchFile, shape: Shape): FileRange {
  const bytes = packShape(shape);
  const start = file.length;
  file.append(bytes);
  return { path: file.path, start, end: start + bytes.length };
}

export function readShape(range: FileRange): Shape {
  return readShapes([range])[0]!;
}

/** Bytes between two shapes that are read along with them, as that is faster than reading twice. */
const maxGap = 1 << 14;
const maxRun = 1 << 20;

/** Shapes in the order of their ranges. What follows each other in a file is read at once. */
export function readShapes(ranges: readonly FileRange[]): Shape[] {
  const shapes: Shape[] = [];
  let path: string | undefined;
  let file = -1;
  try {
    for (let i = 0; i < ranges.length;) {
      const first = ranges[i]!;
      let { end } = first;
      let next = i + 1;
      for (; next < ranges.length; next++) {
        const range = ranges[next]!;
        const gap = range.start - end;
        if (range.path !== first.path || gap < 0 || gap > maxGap || range.end - first.start > maxRun) break;
        ({ end } = range);
      }
      if (first.path !== path) {
        if (path !== undefined) closeSync(file);
        path = undefined;
        file = openSync(first.path, 'r');
        ({ path } = first);
      }
      const buffer = new ArrayBuffer(end - first.start);
      readAll(file, new Uint8Array(buffer), first.start);
      for (; i < next; i++) shapes.push(unpackShape(buffer, ranges[i]!.start - first.start));
    }
    return shapes;
  } finally {
    if (path !== undefined) closeSync(file);
  }
}
