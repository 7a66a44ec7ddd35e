// oxlint-disable-next-line typescript/triple-slash-reference -- whoever imports this gets the types, too
/// <reference path="./openjpeg-package.d.ts" />
import type { OpenJpeg } from '@cornerstonejs/codec-openjpeg/decodewasmjs';
import { BytesError } from '../bytes/bytes.ts';

/** What a tile must be. */
export interface TileForm {
  readonly width: number;
  readonly height: number;
  readonly components: number;
  readonly bits: number;
  readonly isSigned: boolean;
}

export type TileSamples = Uint8Array | Int8Array | Uint16Array | Int16Array;

let opening: Promise<OpenJpeg> | undefined;

/** Decodes a codestream of one tile; components of a pixel are adjacent. @throws BytesError */
export async function decodeTile(codestream: Uint8Array, form: TileForm): Promise<TileSamples> {
  opening ??= openDecoder();
  const { J2KDecoder } = await opening;
  try {
    const decoder = new J2KDecoder();
    try {
      decoder.getEncodedBuffer(codestream.length).set(codestream);
      decoder.decode();
      const { width, height, componentCount, bitsPerSample } = decoder.getFrameInfo();
      const decoded = decoder.getDecodedBuffer();
      const isWhole = width === form.width && height === form.height && componentCount === form.components;
      const bytes = form.bits > 8 ? 2 : 1;
      if (!isWhole || bitsPerSample > bytes * 8 || decoded.length < width * height * componentCount * bytes)
        throw new BytesError('one of its tiles is damaged');
      return copyOf(decoded.subarray(0, width * height * componentCount * bytes), form);
    } finally {
      decoder.delete();
    }
  } catch (error) {
    if (error instanceof BytesError) throw error;
    // its memory may be in disorder
    opening = undefined;
    throw new BytesError('one of its tiles is damaged', { cause: error });
  }
}

/** Loaded where it is needed: few jobs need it, and it takes a moment. */
async function openDecoder(): Promise<OpenJpeg> {
  const { default: open } = await import('@cornerstonejs/codec-openjpeg/decodewasmjs');
  const events = ['uncaughtException', 'unhandledRejection'] as const;
  const before = new Set(events.flatMap((event) => process.rawListeners(event)));
  const quiet = (): void => {};
  const decoder = await open({ print: quiet, printErr: quiet });
  // it would have a say in what becomes of errors of the process
  for (const event of events)
    for (const listener of process.rawListeners(event))
      if (!before.has(listener)) process.off(event, listener as (...values: unknown[]) => void);
  return decoder;
}

function copyOf(bytes: Uint8Array, { bits, isSigned }: TileForm): TileSamples {
  const { buffer } = bytes.slice();
  if (bits > 8) return isSigned ? new Int16Array(buffer) : new Uint16Array(buffer);
  return isSigned ? new Int8Array(buffer) : new Uint8Array(buffer);
}
