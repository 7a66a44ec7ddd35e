import { gunzipSync, inflateRawSync, zstdDecompressSync } from 'node:zlib';
import { isObject } from '../../base/is-object.ts';
import type { Packing } from '../serving/file-headers.ts';

/** A JSON object as text in UTF-8, or what is wrong with the file that it is made of. */
export type Document = { readonly text: Uint8Array } | { readonly fault: string };

export const maxDocumentBytes = 4 * 1024 * 1024;

/** The stored bytes of a small file. */
export interface PackedBytes {
  readonly bytes: Uint8Array;
  readonly packing: Packing;
}

/** Why a document cannot be made. */
export class DocumentFault extends Error {}

/** Runs what makes a JSON object. */
export function documentOf(make: () => object): Document {
  try {
    const text = new TextEncoder().encode(JSON.stringify(make()));
    if (text.length > maxDocumentBytes) throw new DocumentFault(documentTooLong);
    return { text };
  } catch (error) {
    if (error instanceof DocumentFault) return { fault: error.message };
    throw error;
  }
}

type Unpack = (bytes: Uint8Array, options: { maxOutputLength: number }) => Uint8Array;

const unpackers: Readonly<Record<Exclude<Packing, 'none'>, readonly Unpack[]>> = {
  gzip: [gunzipSync],
  deflate: [inflateRawSync],
  gzipInDeflate: [inflateRawSync, gunzipSync],
  zstd: [zstdDecompressSync],
};

export const documentTooLong = `A description file of this datasource has more than ${maxDocumentBytes / 2 ** 20} MiB.`;

/** @throws DocumentFault */
export function unpack({ bytes, packing }: PackedBytes): Uint8Array {
  if (bytes.length > maxDocumentBytes) throw new DocumentFault(documentTooLong);
  if (packing === 'none') return bytes;
  let unpacked = bytes;
  try {
    for (const step of unpackers[packing]) unpacked = step(unpacked, { maxOutputLength: maxDocumentBytes });
  } catch (error) {
    const isLong = (error as { code?: string }).code === 'ERR_BUFFER_TOO_LARGE';
    throw new DocumentFault(isLong ? documentTooLong : 'A file of this datasource is damaged.');
  }
  return unpacked;
}

/** @param what names the document at the beginning of a sentence. @throws DocumentFault */
export function parseObject(bytes: Uint8Array, what: string): Readonly<Record<string, unknown>> {
  const value = parseJson(new TextDecoder().decode(bytes), what);
  if (isObject(value)) return value;
  throw new DocumentFault(`${what} is not a JSON object.`);
}

/** As `parseObject`, of any value. */
export function parseJson(text: string, what: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw new DocumentFault(`${what} is not valid JSON.`);
  }
}
