import { readPlyHeader, type PlyElement, type PlyHeader } from '../mesh/ply.ts';
import { SourceError } from '../source/source.ts';
import { GrowingArray } from './growing-array.ts';
import {
  maxCorners,
  maxVertices,
  type MeshMaterial,
  type MeshModel,
  type MeshReading,
} from './mesh-model.ts';
import { largestOf, openPlyValues, type PlyValues } from './ply-values.ts';
import { WedgeVertices } from './wedge-vertices.ts';

interface PlyVertices {
  readonly positions: GrowingArray<Float64Array>;
  readonly uvs: GrowingArray<Float32Array>;
  readonly colours: GrowingArray<Uint8Array>;
}

interface PlyFaces {
  /** Corners are positions and image coordinates; -1 for those of the vertex itself. */
  readonly vertices: WedgeVertices;
  readonly indices: GrowingArray<Uint32Array>;
  /** Image coordinates of corners. */
  readonly uvs: GrowingArray<Float32Array>;
}

const texture = /^comment\s+TextureFile\s+(\S.*)$/;

/** Reads a PLY (Turk 1994) with faces. @throws BytesError, SourceError */
export function readPly(bytes: Uint8Array, name: string, reading: MeshReading): MeshModel {
  const header = readPlyHeader(bytes);
  const vertexCount = countOf(header, 'vertex');
  if (vertexCount > maxVertices)
    throw new SourceError('unsupported', `it has more than ${maxVertices} vertices: divide it`);
  if (countOf(header, 'face') === 0)
    throw new SourceError('unsupported', 'it has points only: use a job for point clouds');
  const values = openPlyValues(bytes, header);
  const vertices: PlyVertices = {
    positions: new GrowingArray(new Float64Array(0)),
    uvs: new GrowingArray(new Float32Array(0)),
    colours: new GrowingArray(new Uint8Array(0)),
  };
  const faces: PlyFaces = {
    vertices: new WedgeVertices(),
    indices: new GrowingArray(new Uint32Array(0)),
    uvs: new GrowingArray(new Float32Array(0)),
  };
  for (const element of header.elements) {
    if (element.name === 'vertex') readVertices(element, values, vertices);
    else if (element.name === 'face') readFaces(element, values, { vertices, faces, reading });
    else skipElement(element, values);
    if (values.isOver() && element !== header.elements.at(-1)) break;
  }
  const materials: MeshMaterial[] = [];
  const text = Buffer.from(bytes.buffer, bytes.byteOffset, header.bytes).toString('utf8');
  for (const line of text.split(/\r?\n/)) {
    const image = texture.exec(line)?.[1];
    if (image !== undefined) materials.push({ colour: undefined, image: image.trim(), repeats: true });
  }
  if (materials.length > 1) reading.onNotice('unsupportedPart', 'further textures of a PLY');
  const part = { ...finishPly(vertices, faces), material: materials.length > 0 ? 0 : -1 };
  return { objects: [{ name, attributes: new Map(), parts: [part] }], materials: materials.slice(0, 1) };
}

const countOf = ({ elements }: PlyHeader, name: string): number =>
  elements.find((element) => element.name === name)?.count ?? 0;

function readVertices({ count, properties }: PlyElement, values: PlyValues, to: PlyVertices): void {
  const find = (...names: readonly string[]): number =>
    properties.findIndex((property) => names.includes(property.name));
  const places = [find('x'), find('y'), find('z')];
  const uvs = [find('s', 'u', 'texture_u', 'texture_s'), find('t', 'v', 'texture_v', 'texture_t')];
  const bands = [
    find('red', 'r', 'diffuse_red'),
    find('green', 'g', 'diffuse_green'),
    find('blue', 'b', 'diffuse_blue'),
  ];
  const hasColours = bands.every((place) => place >= 0);
  const hasUvs = uvs.every((place) => place >= 0);
  const row: number[] = [];
  for (let vertex = 0; vertex < count && !values.isOver(); vertex++) {
    readRow(properties, values, row);
    for (const place of places) to.positions.push(row[place] ?? NaN);
    if (hasUvs) for (const place of uvs) to.uvs.push(row[place]!);
    if (!hasColours) continue;
    for (const place of bands) {
      const share = row[place]! / largestOf(properties[place]!.type);
      to.colours.push(Math.round(255 * Math.min(1, Math.max(0, share))));
    }
    to.colours.push(255);
  }
}

/** Lists are read and dropped; their values are NaN. */
function readRow(properties: PlyElement['properties'], values: PlyValues, row: number[]): void {
  for (const [i, { type, isList, countType }] of properties.entries()) {
    if (!isList) row[i] = values.next(type);
    else {
      row[i] = NaN;
      const length = values.next(countType);
      for (let k = 0; k < length && !values.isOver(); k++) values.next(type);
    }
  }
}

function skipElement({ count, properties }: PlyElement, values: PlyValues): void {
  const row: number[] = [];
  for (let i = 0; i < count && !values.isOver(); i++) readRow(properties, values, row);
}

interface FaceReading {
  readonly vertices: PlyVertices;
  readonly faces: PlyFaces;
  readonly reading: MeshReading;
}

function readFaces({ count, properties }: PlyElement, values: PlyValues, context: FaceReading): void {
  const corners: number[] = [];
  const texcoords: number[] = [];
  const { onNotice } = context.reading;
  for (let face = 0; face < count; face++) {
    if (values.isOver()) return onNotice('truncated', `${face} of ${count} faces`);
    corners.length = 0;
    texcoords.length = 0;
    for (const { name, type, isList, countType } of properties) {
      const length = isList ? values.next(countType) : 1;
      const into = !isList
        ? undefined
        : name === 'vertex_indices' || name === 'vertex_index'
          ? corners
          : name === 'texcoord'
            ? texcoords
            : undefined;
      for (let i = 0; i < length && !values.isOver(); i++) {
        const value = values.next(type);
        if (into !== undefined && into.length <= maxCorners * 2) into.push(value);
      }
    }
    addFace(corners, texcoords, context);
  }
}

function addFace(
  corners: readonly number[],
  texcoords: readonly number[],
  { vertices: { positions }, faces, reading: { onNotice, triangulate } }: FaceReading,
): void {
  const count = corners.length;
  if (count < 3 || count > maxCorners) return onNotice('badPolygon', `${count} corners`);
  const own: number[] = [];
  for (const corner of corners) {
    if (!(Number.isInteger(corner) && corner >= 0 && corner * 3 < positions.length))
      return onNotice('badIndices', `vertex ${corner}`);
    for (let axis = 0; axis < 3; axis++) own.push(positions.at(corner * 3 + axis));
  }
  if (!own.every((value) => Number.isFinite(value))) return onNotice('badPositions', `vertex ${corners[0]}`);
  const hasUvs = texcoords.length === count * 2;
  const firstUv = faces.uvs.length / 2;
  if (hasUvs) for (const value of texcoords) faces.uvs.push(value);
  const triangles = count === 3 ? [0, 1, 2] : triangulate(own);
  for (const corner of triangles)
    faces.indices.push(faces.vertices.numberOf(corners[corner]!, hasUvs ? firstUv + corner : -1));
}

function finishPly({ positions, uvs, colours }: PlyVertices, faces: PlyFaces) {
  const { vertices } = faces;
  const { count } = vertices;
  const own = new Float64Array(count * 3);
  const hasUvs = uvs.length > 0 || faces.uvs.length > 0;
  const ownUvs = hasUvs ? new Float32Array(count * 2) : undefined;
  const ownColours = colours.length > 0 ? new Uint8Array(count * 4) : undefined;
  for (let vertex = 0; vertex < count; vertex++) {
    const [position, corner] = [vertices.firstOf(vertex), vertices.secondOf(vertex)];
    for (let axis = 0; axis < 3; axis++) own[vertex * 3 + axis] = positions.at(position * 3 + axis);
    for (let axis = 0; axis < 2 && ownUvs !== undefined; axis++)
      ownUvs[vertex * 2 + axis] =
        corner >= 0 ? faces.uvs.at(corner * 2 + axis) : (uvs.at(position * 2 + axis) ?? NaN);
    for (let band = 0; band < 4 && ownColours !== undefined; band++)
      ownColours[vertex * 4 + band] = colours.at(position * 4 + band);
  }
  return { positions: own, uvs: ownUvs, colours: ownColours, indices: faces.indices.finish() };
}
