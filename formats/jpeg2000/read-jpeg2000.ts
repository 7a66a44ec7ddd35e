import { BytesError, type Bytes } from '../bytes/bytes.ts';
import { readExactly } from '../bytes/read-exactly.ts';
import { isCodestream, readBoxes, type Box } from './read-boxes.ts';
import { readCodestream, type Codestream } from './read-codestream.ts';

export interface Jpeg2000 {
  readonly stream: Codestream;
  readonly bits: number;
  readonly isSigned: boolean;
  /** The number of the component that is alpha. */
  readonly alphaBand: number | undefined;
  /** Red, then green, then blue of all numbers, in 16 bits. */
  readonly palette: readonly number[] | undefined;
  /** A small GeoTIFF (GeoJP2). */
  readonly geoTiff: Uint8Array | undefined;
  /** GML (OGC 05-047r3). */
  readonly gml: string | undefined;
}

const maxBits = 16;
const geoJp2 = 'b14bf8bd083d4b43a5ae8cd7d5a6ce03';
const maxTextBytes = 1 << 20;
const sYcc = 18;

/** Reads all but pixels. @throws BytesError */
export async function readJpeg2000(bytes: Bytes): Promise<Jpeg2000> {
  const isBare = isCodestream(await bytes.read(0, 12));
  const boxes = isBare ? [{ type: 'jp2c', start: 0, end: bytes.size }] : await readBoxes(bytes);
  const code = boxes.find(({ type }) => type === 'jp2c');
  if (!code) throw new BytesError('it contains no picture');
  const stream = await readCodestream(bytes, code);
  const { components } = stream;
  const [first] = components as readonly [Codestream['components'][0]];
  if (components.some(({ bits, isSigned }) => bits !== first.bits || isSigned !== first.isSigned))
    throw new BytesError('its components have different numbers of bits, which is not read here');
  if (first.bits > maxBits)
    throw new BytesError(`its numbers have ${first.bits} bits, of which at most ${maxBits} are read here`);
  const contentOf = async ({ start, end }: Box): Promise<Uint8Array> =>
    readExactly(bytes, start, Math.min(maxTextBytes, end - start));
  const contents = async (type: string): Promise<Uint8Array[]> =>
    Promise.all(boxes.filter((box) => box.type === type).map(contentOf));
  const colours = (await contents('colr')).map((box) => Buffer.from(box));
  if (colours.some((box) => box.length >= 7 && box[0] === 1 && box.readUInt32BE(3) === sYcc))
    throw new BytesError('its colours are YCC, which is not read here');
  const [definitions] = await contents('cdef');
  const [palette] = await contents('pclr');
  const uuids = await contents('uuid');
  const geo = uuids.find((box) => Buffer.from(box.subarray(0, 16)).toString('hex') === geoJp2);
  const texts = (await contents('xml ')).map((box) => new TextDecoder().decode(box));
  return {
    stream,
    ...first,
    alphaBand: definitions && alphaOf(Buffer.from(definitions), components.length),
    palette: palette && components.length === 1 ? paletteOf(Buffer.from(palette), first.bits) : undefined,
    geoTiff: geo?.subarray(16),
    gml: texts.find((text) => text.includes('RectifiedGrid')),
  };
}

/** Channel definitions (I.5.3.6): number, type (1: opacity), and what it belongs to. */
function alphaOf(box: Buffer, components: number): number | undefined {
  for (let at = 2; at + 6 <= box.length; at += 6)
    if (box.readUInt16BE(at + 2) === 1 && box.readUInt16BE(at) < components) return box.readUInt16BE(at);
  return undefined;
}

/** A palette (I.5.3.4) as TIFF has it. */
function paletteOf(box: Buffer, bits: number): number[] {
  if (box.length < 3) throw new BytesError('its palette is damaged');
  const [entries, columns] = [box.readUInt16BE(0), box.readUInt8(2)];
  const isKnown = columns >= 3 && bits <= 8 && box.subarray(3, 3 + columns).every((depth) => depth === 7);
  if (!isKnown || box.length < 3 + columns + entries * columns)
    throw new BytesError('its palette is of a kind that is not read here');
  const size = 2 ** bits;
  return Array.from({ length: size * 3 }, (_, i) => {
    const entry = i % size;
    return entry < entries ? box[3 + columns + entry * columns + Math.floor(i / size)]! * 257 : 0;
  });
}
