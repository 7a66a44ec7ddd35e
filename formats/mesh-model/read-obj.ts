import { readNumber, skipSpaces, type NumberCursor } from '../xml/read-numbers.ts';
import { eachLine } from '../mesh/each-line.ts';
import { SourceError } from '../source/source.ts';
import { GrowingArray } from './growing-array.ts';
import {
  maxCorners,
  maxVertices,
  type MeshMaterial,
  type MeshModel,
  type MeshObject,
  type MeshPart,
  type MeshReading,
} from './mesh-model.ts';
import { readMtl } from './read-mtl.ts';
import { WedgeVertices } from './wedge-vertices.ts';

export interface ObjReading extends MeshReading {
  readonly chunks: AsyncIterable<Uint8Array>;
  /** The text of a material library; undefined if it is not there. */
  readonly readLibrary: (name: string) => Promise<string | undefined>;
}

/** Faces of one object with one material. */
interface OpenPart {
  readonly material: string;
  readonly vertices: WedgeVertices;
  readonly indices: GrowingArray<Uint32Array>;
}

const maxNames = 100_000;
const [letterF, letterV, space, tab] = [102, 118, 32, 9];

/**
 * Reads a Wavefront OBJ. What `o` names are the objects; in files without it, what `g` names.
 * @throws SourceError if it is too large
 */
export async function readObj(reading: ObjReading): Promise<MeshModel> {
  const { chunks, onNotice, triangulate } = reading;
  const positions = new GrowingArray(new Float64Array(1 << 12));
  const colours = new GrowingArray(new Uint8Array(0));
  const uvs = new GrowingArray(new Float32Array(1 << 12));
  const byObject = new Map<string, Map<string, OpenPart>>();
  const byGroup = new Map<string, Map<string, OpenPart>>();
  const libraries = new Set<string>();
  const cursor: NumberCursor = { bytes: Buffer.alloc(0), at: 0, end: 0 };
  let [object, group, material]: [string | undefined, string, string] = [undefined, '', ''];
  let part: OpenPart | undefined;
  const corners: number[] = [];

  const takeVertex = (): void => {
    if (positions.length / 3 >= maxVertices)
      throw new SourceError('unsupported', `it has more than ${maxVertices} vertices: divide it`);
    const values: number[] = [];
    while (values.length < 7) {
      skipSpaces(cursor);
      if (cursor.at >= cursor.end) break;
      const value = readNumber(cursor);
      if (Number.isNaN(value)) break;
      values.push(value);
    }
    const vertex = positions.length / 3;
    for (let axis = 0; axis < 3; axis++) positions.push(values[axis] ?? NaN);
    if (values.length < 6) return;
    // earlier vertices without a colour are white
    while (colours.length < vertex * 4) colours.push(255);
    for (const value of values.slice(-3)) colours.push(Math.round(Math.min(1, Math.max(0, value)) * 255));
    colours.push(255);
  };
  const takeTexture = (): void => {
    for (let i = 0; i < 2; i++) {
      skipSpaces(cursor);
      uvs.push(readNumber(cursor));
    }
  };
  /** @returns the number of a position or of image coordinates; -1 if it is not there */
  const readIndex = (count: number): number => {
    const index = readNumber(cursor);
    const number = index < 0 ? count + index : index - 1;
    return Number.isInteger(number) && number >= 0 && number < count ? number : -1;
  };
  const takeFace = (): void => {
    corners.length = 0;
    for (;;) {
      skipSpaces(cursor);
      if (cursor.at >= cursor.end) break;
      const position = readIndex(positions.length / 3);
      let uv = -1;
      if (cursor.bytes[cursor.at] === 47 && cursor.at < cursor.end) {
        cursor.at++;
        if (cursor.bytes[cursor.at] !== 47) uv = readIndex(uvs.length / 2);
      }
      while (cursor.at < cursor.end && cursor.bytes[cursor.at]! > space) cursor.at++;
      if (position < 0) return onNotice('badIndices', `face ${corners.length / 2 + 1}`);
      corners.push(position, uv);
    }
    addFace();
  };
  const addFace = (): void => {
    const count = corners.length / 2;
    if (count < 3 || count > maxCorners) return onNotice('badPolygon', `${count} corners`);
    for (let i = 0; i < count; i++) {
      const at = corners[i * 2]! * 3;
      if (!Number.isFinite(positions.at(at) + positions.at(at + 1) + positions.at(at + 2)))
        return onNotice('badPositions', `vertex ${corners[i * 2]! + 1}`);
    }
    part ??= openPart(object === undefined ? byGroup : byObject, object ?? group, material);
    const { vertices, indices } = part;
    const add = (corner: number): void =>
      indices.push(vertices.numberOf(corners[corner * 2]!, corners[corner * 2 + 1]!));
    if (count === 3) {
      for (let i = 0; i < 3; i++) add(i);
      return;
    }
    const own: number[] = [];
    for (let i = 0; i < count; i++)
      for (let axis = 0; axis < 3; axis++) own.push(positions.at(corners[i * 2]! * 3 + axis));
    for (const corner of triangulate(own)) add(corner);
  };
  const takeWord = (line: string): void => {
    const [, word, rest = ''] = /^(mtllib|usemtl|o|g)(?:\s+(\S.*))?$/.exec(line.trimEnd()) ?? [];
    if (word === undefined) return;
    part = undefined;
    if (word === 'usemtl') material = rest;
    else if (word === 'mtllib') {
      if (libraries.size < maxNames) libraries.add(rest);
    } else if (byObject.size + byGroup.size < maxNames) {
      if (word === 'o') object = rest;
      else group = rest;
    }
  };
  await eachLine(chunks, (bytes, from, end) => {
    let start = from;
    while (start < end && (bytes[start] === space || bytes[start] === tab)) start++;
    const [first, second] = [bytes[start], bytes[start + 1]];
    cursor.bytes = bytes;
    cursor.at = start + 2;
    cursor.end = end;
    const isShort = second === space || second === tab;
    if (first === letterV && isShort) takeVertex();
    else if (first === letterF && isShort) takeFace();
    else if (first === letterV && second === 116) {
      cursor.at++;
      takeTexture();
    } else if (first !== letterV && end - start < 2000) takeWord(bytes.toString('utf8', start, end));
  });
  while (colours.length > 0 && colours.length < (positions.length / 3) * 4) colours.push(255);
  const { materials, numberOf } = await readLibraries(libraries, reading);
  const finish = (open: OpenPart): MeshPart => finishPart(open, { positions, uvs, colours, numberOf });
  const objects: MeshObject[] = [];
  for (const [name, parts] of [...byObject, ...byGroup])
    objects.push({ name, attributes: new Map(), parts: [...parts.values()].map(finish) });
  return { objects, materials };
}

function openPart(all: Map<string, Map<string, OpenPart>>, name: string, material: string): OpenPart {
  let parts = all.get(name);
  if (parts === undefined) all.set(name, (parts = new Map()));
  let part = parts.get(material);
  if (part === undefined) {
    part = { material, vertices: new WedgeVertices(), indices: new GrowingArray(new Uint32Array(64)) };
    parts.set(material, part);
  }
  return part;
}

async function readLibraries(
  libraries: ReadonlySet<string>,
  { readLibrary, onNotice }: ObjReading,
): Promise<{ readonly materials: MeshMaterial[]; readonly numberOf: (name: string) => number }> {
  const materials: MeshMaterial[] = [];
  const numbers = new Map<string, number>();
  for (const library of libraries) {
    const text = await readLibrary(library);
    if (text === undefined) onNotice('missingFile', library);
    for (const [name, material] of text === undefined ? [] : readMtl(text))
      if (!numbers.has(name)) numbers.set(name, materials.push(material) - 1);
  }
  return { materials, numberOf: (name) => numbers.get(name) ?? -1 };
}

interface ObjVertices {
  readonly positions: GrowingArray<Float64Array>;
  readonly uvs: GrowingArray<Float32Array>;
  readonly colours: GrowingArray<Uint8Array>;
  readonly numberOf: (material: string) => number;
}

function finishPart(
  { vertices, indices, material }: OpenPart,
  { positions, uvs, colours, numberOf }: ObjVertices,
): MeshPart {
  const { count } = vertices;
  const own = new Float64Array(count * 3);
  const ownUvs = new Float32Array(count * 2);
  const ownColours = colours.length > 0 ? new Uint8Array(count * 4) : undefined;
  let hasUvs = false;
  for (let vertex = 0; vertex < count; vertex++) {
    const [position, uv] = [vertices.firstOf(vertex), vertices.secondOf(vertex)];
    for (let axis = 0; axis < 3; axis++) own[vertex * 3 + axis] = positions.at(position * 3 + axis);
    hasUvs ||= uv >= 0;
    for (let axis = 0; axis < 2; axis++) ownUvs[vertex * 2 + axis] = uv < 0 ? NaN : uvs.at(uv * 2 + axis);
    for (let band = 0; band < 4 && ownColours !== undefined; band++)
      ownColours[vertex * 4 + band] = colours.at(position * 4 + band);
  }
  return {
    positions: own,
    uvs: hasUvs ? ownUvs : undefined,
    colours: ownColours,
    indices: indices.finish(),
    material: numberOf(material),
  };
}
