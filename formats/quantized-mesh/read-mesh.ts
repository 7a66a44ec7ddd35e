import { BytesError } from '../bytes/bytes.ts';
import { viewOf } from '../bytes/read-exactly.ts';

/** A tile of terrain (Cesium's quantized-mesh 1.0), without its triangles' edges. */
export interface QuantizedMesh {
  /** Usually in metres above the ellipsoid. */
  readonly minHeight: number;
  readonly maxHeight: number;
  /** From 0 in the west, south and at the lowest height, to 32767. */
  readonly u: Uint16Array;
  readonly v: Uint16Array;
  readonly heights: Uint16Array;
  /** Three vertices each. */
  readonly triangles: Uint32Array;
  /** 1 normals, 2 water mask, 4 metadata. */
  readonly extensions: readonly number[];
  /** Of each of them, its bytes. */
  readonly extensionContents: readonly Uint8Array[];
}

const headerBytes = 88;
export const meshRange = 32_767;
const shortIndices = 65_536;

/** @param bytes unpacked. @throws BytesError */
export function readMesh(bytes: Uint8Array): QuantizedMesh {
  const view = viewOf(bytes);
  if (bytes.length < headerBytes + 4) throw new BytesError('it is cut off');
  const count = view.getUint32(headerBytes, true);
  if (count > bytes.length / 6) throw new BytesError('it has fewer vertices than its header announces');
  let at = headerBytes + 4;
  const decode = (): Uint16Array => {
    const values = new Uint16Array(count);
    for (let i = 0, value = 0; i < count; i++, at += 2) {
      const coded = view.getUint16(at, true);
      // zigzag
      value += (coded >> 1) ^ -(coded & 1);
      values[i] = value;
    }
    return values;
  };
  if (at + count * 6 > bytes.length) throw new BytesError('it is cut off');
  const [u, v, heights] = [decode(), decode(), decode()];
  const indexBytes = count > shortIndices ? 4 : 2;
  at = Math.ceil(at / indexBytes) * indexBytes;
  if (at + 4 > bytes.length) throw new BytesError('it is cut off');
  const triangleCount = view.getUint32(at, true);
  at += 4;
  if (at + triangleCount * 3 * indexBytes > bytes.length) throw new BytesError('it is cut off');
  const triangles = new Uint32Array(triangleCount * 3);
  for (let i = 0, highest = 0; i < triangles.length; i++, at += indexBytes) {
    const code = indexBytes === 4 ? view.getUint32(at, true) : view.getUint16(at, true);
    const index = highest - code;
    if (index < 0 || index >= count) throw new BytesError('one of its triangles refers to a missing vertex');
    triangles[i] = index;
    if (code === 0) highest++;
  }
  const found = extensionsIn(view, skipEdges(view, at, indexBytes));
  return {
    minHeight: view.getFloat32(24, true),
    maxHeight: view.getFloat32(28, true),
    u,
    v,
    heights,
    triangles,
    extensions: found.map(([id]) => id),
    extensionContents: found.map(([, content]) => content),
  };
}

/** The vertices of the western, southern, eastern and northern edge. */
function skipEdges(view: DataView, start: number, indexBytes: number): number {
  let at = start;
  for (let edge = 0; edge < 4; edge++) {
    if (at + 4 > view.byteLength) throw new BytesError('it is cut off');
    at += 4 + view.getUint32(at, true) * indexBytes;
  }
  if (at > view.byteLength) throw new BytesError('it is cut off');
  return at;
}

function extensionsIn(view: DataView, start: number): [id: number, content: Uint8Array][] {
  const extensions: [number, Uint8Array][] = [];
  for (let at = start; at + 5 <= view.byteLength;) {
    const end = at + 5 + view.getUint32(at + 1, true);
    if (end > view.byteLength) throw new BytesError('one of its extensions is cut off');
    const content = new Uint8Array(view.buffer, view.byteOffset + at + 5, end - at - 5);
    extensions.push([view.getUint8(at), content]);
    at = end;
  }
  return extensions;
}
