import { readNumber, skipSpaces, type NumberCursor } from '../xml/read-numbers.ts';
import { eachLine } from './each-line.ts';
import { emptyExtent, growExtent, type Extent } from './extent.ts';
import {
  createSurfaceBuffer,
  endRing,
  endSurface,
  isFull,
  pushVertex,
  type SurfaceBuffer,
} from './surface-buffer.ts';

/** Findings about a Wavefront OBJ (its specification, B1: statements at the beginning of a line). */
export interface ObjScan {
  vertices: number;
  textureCoordinates: number;
  normals: number;
  faces: number;
  /** Number of triangles: a face of n corners counts as n - 2. */
  triangles: number;
  readonly groups: Set<string>;
  readonly libraries: Set<string>;
  readonly materials: Set<string>;
  /** Vertices without three numbers, and faces with missing vertices. */
  badLines: number;
  hasColours: boolean;
  readonly extent: Extent;
  readonly surfaces: SurfaceBuffer;
}

const maxPositions = 400_000;
const maxKept = 3_000_000;
const maxNames = 10_000;
const [letterF, letterV, space, tab] = [102, 118, 32, 9];

export async function scanObj(chunks: AsyncIterable<Uint8Array>): Promise<ObjScan> {
  const scan = createScan();
  const positions = createSurfaceBuffer(maxKept);
  const cursor: NumberCursor = { bytes: Buffer.alloc(0), at: 0, end: 0 };
  const corners: number[] = [];

  const takeVertex = (): void => {
    const xyz: number[] = [];
    while (xyz.length < 7) {
      skipSpaces(cursor);
      if (cursor.at >= cursor.end) break;
      const value = readNumber(cursor);
      if (!Number.isFinite(value)) break;
      xyz.push(value);
    }
    scan.vertices++;
    if (xyz.length < 3) scan.badLines++;
    if (xyz.length >= 6) scan.hasColours = true;
    const [x = NaN, y = NaN, z = NaN] = xyz;
    growExtent(scan.extent, x, y, z);
    if (!isFull(positions)) pushVertex(positions, x, y, z);
  };
  const takeFace = (): void => {
    corners.length = 0;
    for (;;) {
      skipSpaces(cursor);
      if (cursor.at >= cursor.end) break;
      const index = readNumber(cursor);
      if (!Number.isInteger(index)) break;
      corners.push(index < 0 ? scan.vertices + index : index - 1);
      while (cursor.at < cursor.end && cursor.bytes[cursor.at]! > space) cursor.at++;
    }
    scan.faces++;
    scan.triangles += Math.max(0, corners.length - 2);
    if (corners.length < 3 || corners.some((index) => index < 0)) scan.badLines++;
    else if (!isFull(scan.surfaces) && corners.every((index) => index < positions.positionCount)) {
      for (const index of corners) {
        const at = index * 3;
        const [x, y, z] = positions.coordinates.subarray(at, at + 3);
        pushVertex(scan.surfaces, x!, y!, z!);
      }
      endRing(scan.surfaces);
      endSurface(scan.surfaces);
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
    else if (first === letterV && second === 116) scan.textureCoordinates++;
    else if (first === letterV && second === 110) scan.normals++;
    else if (end - start < 1000) takeWord(scan, bytes.toString('utf8', start, end));
  });
  return scan;
}

const createScan = (): ObjScan => ({
  vertices: 0,
  textureCoordinates: 0,
  normals: 0,
  faces: 0,
  triangles: 0,
  groups: new Set(),
  libraries: new Set(),
  materials: new Set(),
  badLines: 0,
  hasColours: false,
  extent: emptyExtent(),
  surfaces: createSurfaceBuffer(maxPositions),
});

function takeWord({ libraries, materials, groups }: ObjScan, line: string): void {
  const [, word, rest] = /^(mtllib|usemtl|o|g)\s+(\S.*)$/.exec(line.trimEnd()) ?? [];
  if (word === undefined) return;
  const names = { mtllib: libraries, usemtl: materials, o: groups, g: groups }[word]!;
  if (names.size < maxNames) names.add(rest!.slice(0, 300));
}

const statement =
  /^\s*(?:$|#|v\s+[-+\d.]|v[tnp]\s|f\s+-?\d|[opgsl]\s|mtllib\s|usemtl\s|usemap\s|mg\s|cstype\s|deg\s|surf\s|end)/;

/** Whether the first lines are OBJ statements only, among them a vertex or a material library. */
export function looksLikeObj(head: Uint8Array): boolean {
  const lines = Buffer.from(head.buffer, head.byteOffset, head.length).toString('latin1').split(/\r?\n/);
  if (lines.length > 1) lines.pop();
  const isObj = lines.every((line) => statement.test(line));
  return isObj && lines.some((line) => /^\s*(?:v\s+\S+\s+\S+\s+\S+|mtllib\s)/.test(line));
}

/** The files that a library of materials (.mtl) names. */
export function texturesOfMtl(text: string): Set<string> {
  const textures = new Set<string>();
  for (const [, rest] of text.matchAll(
    /^[^\S\r\n]*(?:map_\w+|bump|disp|decal|norm|refl)[^\S\r\n]+(\S.*)$/gim,
  )) {
    // options stand before the name, each with numbers or words of its own
    const name = rest!.trimEnd().replace(/^(?:-\w+(?:\s+(?:on|off|-?[\d.]+(?=\s)|[rgbmlz]\b))*\s+)+/, '');
    if (textures.size < maxNames) textures.add(name.slice(0, 500));
  }
  return textures;
}
