// oxlint-disable-next-line typescript/triple-slash-reference -- whoever imports this gets the types, too
/// <reference path="./openjpeg-package.d.ts" />
import open from '@cornerstonejs/codec-openjpeg/wasmjs';
import { writeTiff, type WrittenTiff } from '../geotiff/testing.ts';

export interface WrittenJpeg2000 {
  readonly width: number;
  readonly height: number;
  readonly bands: number;
  /** Pixels a side, a multiple of 4; absent: one tile. */
  readonly tile?: number;
  readonly sample: (x: number, y: number, band: number) => number;
}

/** A lossless codestream of 8 bits. */
export async function codestreamOf(image: WrittenJpeg2000): Promise<Buffer> {
  const { width, height, tile = Math.max(width, height) } = image;
  const codec = await open({ print: () => {}, printErr: () => {} });
  const encode = (left: number, top: number): Buffer => {
    const { bands, sample } = image;
    const size = { width: Math.min(tile, width - left), height: Math.min(tile, height - top) };
    const encoder = new codec.J2KEncoder();
    const raw = encoder.getDecodedBuffer({
      ...size,
      bitsPerSample: 8,
      componentCount: bands,
      isSigned: false,
    });
    for (let i = 0; i < size.width * size.height * bands; i++) {
      const pixel = Math.floor(i / bands);
      raw[i] = sample(left + (pixel % size.width), top + Math.floor(pixel / size.width), i % bands);
    }
    encoder.setDecompositions(2);
    encoder.setQuality(true, 0);
    encoder.encode();
    const encoded = Buffer.from(encoder.getEncodedBuffer());
    encoder.delete();
    return encoded;
  };
  let header: Buffer | undefined;
  const parts: Buffer[] = [];
  for (let top = 0, number = 0; top < height; top += tile)
    for (let left = 0; left < width; left += tile, number++) {
      const one = encode(left, top);
      const start = one.indexOf(Buffer.from([0xff, 0x90, 0, 10]));
      header ??= one.subarray(0, start);
      // without the end of the codestream
      const part = one.subarray(start, -2);
      part.writeUInt16BE(number, 4);
      part.writeUInt32BE(part.length, 6);
      parts.push(part);
    }
  const whole = Buffer.from(header!);
  for (const [at, value] of [
    [8, width],
    [12, height],
    [24, tile],
    [28, tile],
  ] as const)
    whole.writeUInt32BE(value, at);
  return Buffer.concat([whole, ...parts, Buffer.from([0xff, 0xd9])]);
}

const box = (type: string, ...content: readonly Uint8Array[]): Buffer => {
  const head = Buffer.alloc(8);
  head.writeUInt32BE(8 + content.reduce((sum, { length }) => sum + length, 0));
  head.write(type, 4, 'latin1');
  return Buffer.concat([head, ...content]);
};

export interface WrittenJp2 {
  /** A GeoTIFF that says where it is. */
  readonly place?: Omit<WrittenTiff, 'images'>;
  readonly gml?: string;
  /** Boxes in the header of the image, by their types. */
  readonly more?: Readonly<Record<string, readonly number[]>>;
}

/** A JP2 file around a codestream. */
export function jp2Of(codestream: Uint8Array, { place, gml, more = {} }: WrittenJp2): Buffer {
  const dot = { width: 1, height: 1, sample: () => 0 };
  const uuid = Buffer.from('b14bf8bd083d4b43a5ae8cd7d5a6ce03', 'hex');
  return Buffer.concat([
    box('jP  ', Buffer.from([0x0d, 0x0a, 0x87, 0x0a])),
    box('ftyp', Buffer.from('jp2 \0\0\0\0jp2 ', 'latin1')),
    box('jp2h', ...Object.entries(more).map(([type, bytes]) => box(type, Buffer.from(bytes)))),
    ...(place ? [box('uuid', uuid, writeTiff({ images: [dot], ...place }))] : []),
    ...(gml === undefined ? [] : [box('asoc', box('asoc', box('xml ', Buffer.from(gml))))]),
    box('jp2c', codestream),
  ]);
}
