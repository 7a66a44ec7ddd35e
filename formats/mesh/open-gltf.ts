import { BytesError, type Bytes } from '../bytes/bytes.ts';
import { asObject, type JsonObject } from '../json/read-values.ts';
import { parseAt } from '../json/scan-members.ts';
import { readGlb } from './glb.ts';
import { readGltf, type Gltf } from './gltf.ts';
import type { ReadBuffer } from './read-accessor.ts';

export interface OpenGltf {
  readonly gltf: Gltf;
  /** All of its JSON. */
  readonly root: JsonObject;
  /** Faults that did not prevent reading. Each follows a colon. */
  readonly faults: readonly string[];
  readonly read: ReadBuffer;
}

/** Opens a buffer in a separate file or in a base64 data: URI. */
export type FindBuffer = (uri: string) => Promise<Bytes | undefined>;

const maxJsonBytes = 128 << 20;
const maxDataUriLength = 64 << 20;

/**
 * Opens a GLB that begins at `start` in a file, or a glTF's JSON.
 * @throws BytesError
 */
export async function openGltf(bytes: Bytes, find: FindBuffer, start = 0): Promise<OpenGltf> {
  const head = await bytes.read(start, 1);
  const glb = head[0] === 0x67 ? await readGlb(bytes, start) : undefined;
  const json = glb?.json ?? { offset: start, length: bytes.size - start };
  if (json.length > maxJsonBytes)
    throw new BytesError(`its JSON has ${json.length} bytes, which is too large`);
  const text = await bytes.read(json.offset, json.length);
  if (text.length < json.length) throw new BytesError('it is cut off in its JSON: upload it again');
  const bom = text[0] === 0xef ? 3 : 0;
  const value = parseAt(text, bom, text.length);
  if (value === undefined) throw new BytesError('its JSON is damaged or cut off: upload it again');
  const gltf = readGltf(value);
  if (gltf === undefined) throw new BytesError('its JSON has no "asset", which glTF requires');
  const read: ReadBuffer = async (buffer, offset, length) => {
    if (!(buffer in gltf.buffers)) return undefined;
    const uri = gltf.buffers[buffer];
    if (uri === undefined) {
      const { binary } = glb ?? {};
      if (binary === undefined || offset + length > binary.length) return undefined;
      return bytes.read(binary.offset + offset, length);
    }
    if (uri.startsWith('data:')) return dataOf(uri).subarray(offset, offset + length);
    return (await find(uri))?.read(offset, length);
  };
  return { gltf, root: asObject(value)!, faults: glb?.faults ?? [], read };
}

/** The bytes of a data: URI; none if it is not base64. */
export function dataOf(uri: string): Uint8Array {
  const comma = uri.indexOf(',');
  if (comma < 0 || uri.length > maxDataUriLength || !uri.slice(0, comma).endsWith(';base64'))
    return new Uint8Array(0);
  return Buffer.from(uri.slice(comma + 1), 'base64');
}
