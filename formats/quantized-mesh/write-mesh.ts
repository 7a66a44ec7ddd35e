import { meshRange } from './read-mesh.ts';

type Vector = readonly [x: number, y: number, z: number];

/** A tile of terrain to write. */
export interface MeshToWrite {
  readonly minHeight: number;
  readonly maxHeight: number;
  /** From 0 in the west, south and at the lowest height, to 32767; in the order in which the triangles first use them. */
  readonly u: Uint16Array;
  readonly v: Uint16Array;
  readonly heights: Uint16Array;
  /** Counter-clockwise. */
  readonly triangles: Uint16Array | Uint32Array;
  /** Metres in EPSG:4978. */
  readonly centre: Vector;
  readonly radius: number;
  /** In radii of the ellipsoid. */
  readonly horizonPoint: Vector;
  /** Two bytes for each vertex. */
  readonly normals?: Uint8Array;
  /** One byte for all of the tile, or 256 × 256 from the north: 0 land, 255 water. */
  readonly waterMask?: Uint8Array;
  /** Which tiles there are below this one. */
  readonly metadata?: object;
}

const extensionIds = { normals: 1, waterMask: 2, metadata: 4 } as const;
const headerBytes = 88;
const shortIndices = 65_536;

/** Writes quantized-mesh 1.0, with its extensions. */
export function writeMesh(mesh: MeshToWrite): Uint8Array {
  const count = mesh.u.length;
  const indexBytes = count > shortIndices ? 4 : 2;
  const edges = edgesOf(mesh);
  const edgeCount = edges.reduce((sum, edge) => sum + edge.length, 0);
  const extensions = extensionsOf(mesh);
  const extensionBytes = extensions.reduce((sum, [, bytes]) => sum + 5 + bytes.length, 0);
  const coordinatesEnd = headerBytes + 4 + count * 6;
  const trianglesAt = Math.ceil(coordinatesEnd / indexBytes) * indexBytes;
  const length = trianglesAt + 4 + (mesh.triangles.length + edgeCount) * indexBytes + 16 + extensionBytes;
  const bytes = new Uint8Array(length);
  const view = new DataView(bytes.buffer);
  writeHeader(view, mesh);
  view.setUint32(headerBytes, count, true);
  let at = headerBytes + 4;
  for (const values of [mesh.u, mesh.v, mesh.heights]) at = writeDifferences(view, at, values);
  at = trianglesAt;
  const writeIndex = (index: number): void => {
    if (indexBytes === 4) view.setUint32(at, index, true);
    else view.setUint16(at, index, true);
    at += indexBytes;
  };
  view.setUint32(at, mesh.triangles.length / 3, true);
  at += 4;
  let highest = 0;
  for (const index of mesh.triangles) {
    writeIndex(highest - index);
    if (index === highest) highest++;
  }
  for (const edge of edges) {
    view.setUint32(at, edge.length, true);
    at += 4;
    for (const vertex of edge) writeIndex(vertex);
  }
  for (const [id, content] of extensions) {
    view.setUint8(at, id);
    view.setUint32(at + 1, content.length, true);
    bytes.set(content, at + 5);
    at += 5 + content.length;
  }
  return bytes;
}

function writeHeader(view: DataView, { centre, radius, horizonPoint, ...heights }: MeshToWrite): void {
  centre.forEach((value, i) => view.setFloat64(i * 8, value, true));
  view.setFloat32(24, heights.minHeight, true);
  view.setFloat32(28, heights.maxHeight, true);
  // the middle of the tile, and the sphere around it
  [...centre, radius, ...horizonPoint].forEach((value, i) => view.setFloat64(32 + i * 8, value, true));
}

/** Zigzag-coded differences. */
function writeDifferences(view: DataView, start: number, values: Uint16Array): number {
  let at = start;
  let former = 0;
  for (const value of values) {
    const difference = value - former;
    view.setUint16(at, (difference << 1) ^ (difference >> 31), true);
    former = value;
    at += 2;
  }
  return at;
}

/** The vertices of the western, southern, eastern and northern edge. */
function edgesOf({ u, v }: MeshToWrite): readonly (readonly number[])[] {
  const where = (values: Uint16Array, value: number): number[] => {
    const found: number[] = [];
    for (let i = 0; i < values.length; i++) if (values[i] === value) found.push(i);
    return found;
  };
  return [where(u, 0), where(v, 0), where(u, meshRange), where(v, meshRange)];
}

function extensionsOf({ normals, waterMask, metadata }: MeshToWrite): [number, Uint8Array][] {
  const extensions: [number, Uint8Array][] = [];
  if (normals !== undefined) extensions.push([extensionIds.normals, normals]);
  if (waterMask !== undefined) extensions.push([extensionIds.waterMask, waterMask]);
  if (metadata !== undefined) extensions.push([extensionIds.metadata, encodeMetadata(metadata)]);
  return extensions;
}

function encodeMetadata(metadata: object): Uint8Array {
  const json = new TextEncoder().encode(JSON.stringify(metadata));
  const bytes = new Uint8Array(4 + json.length);
  new DataView(bytes.buffer).setUint32(0, json.length, true);
  bytes.set(json, 4);
  return bytes;
}
