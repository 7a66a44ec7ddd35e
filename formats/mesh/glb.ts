import { BytesError, type Bytes } from '../bytes/bytes.ts';

/** The content of a GLB (glTF 2.0, 4): JSON, and a binary chunk if there is one. */
export interface Glb {
  readonly version: number;
  readonly json: { readonly offset: number; readonly length: number };
  readonly binary: { readonly offset: number; readonly length: number } | undefined;
  /** Faults that did not prevent reading. Each follows a colon. */
  readonly faults: readonly string[];
}

const magic = 0x46546c67;
const jsonChunk = 0x4e4f534a;
const binaryChunk = 0x004e4942;
const headerBytes = 12;
const maxChunks = 16;

export function isGlb(head: Uint8Array): boolean {
  return head.length >= 4 && viewOf(head).getUint32(0, true) === magic;
}

/**
 * Reads the headers of a GLB that begins at `start` in a file, also in version 1.0 of old 3D tiles.
 * @throws BytesError
 */
export async function readGlb(bytes: Bytes, start = 0): Promise<Glb> {
  const header = await bytes.read(start, 20);
  if (header.length < 20 || !isGlb(header)) throw new BytesError('it is too short for a GLB');
  const view = viewOf(header);
  const version = view.getUint32(4, true);
  const faults: string[] = [];
  const end = start + view.getUint32(8, true);
  if (end > bytes.size) faults.push(`it has ${bytes.size - start} of ${end - start} bytes: it is cut off`);
  if (version === 1) {
    const json = { offset: start + 20, length: view.getUint32(12, true) };
    const offset = json.offset + json.length;
    return { version, json, binary: { offset, length: Math.max(0, end - offset) }, faults };
  }
  const chunks = await readChunks(bytes, start + headerBytes, Math.min(end, bytes.size));
  const json = chunks.find(({ type }) => type === jsonChunk);
  if (json === undefined) throw new BytesError('its first chunk is not JSON');
  if (chunks[0] !== json) faults.push('its first chunk is not its JSON');
  for (const { offset, length } of chunks)
    if (offset + length > bytes.size) faults.push('a chunk passes the end of the file: it is cut off');
  return { version, json, binary: chunks.find(({ type }) => type === binaryChunk), faults };
}

interface Chunk {
  readonly type: number;
  readonly offset: number;
  readonly length: number;
}

async function readChunks(bytes: Bytes, start: number, end: number): Promise<Chunk[]> {
  const chunks: Chunk[] = [];
  for (let at = start; at + 8 <= end && chunks.length < maxChunks;) {
    const header = await bytes.read(at, 8);
    if (header.length < 8) break;
    const view = viewOf(header);
    const chunk = { type: view.getUint32(4, true), offset: at + 8, length: view.getUint32(0, true) };
    chunks.push(chunk);
    at = chunk.offset + chunk.length;
  }
  return chunks;
}

function viewOf(bytes: Uint8Array): DataView {
  return new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
}
