import { viewOf } from '../../bytes/read-exactly.ts';
import { baseLengthOf, layoutOf } from '../point-format.ts';
import { ArithmeticDecoder } from './arithmetic-decoder.ts';
import { ColourDecoder } from './colour-decoder.ts';
import { GpsTimes } from './gps-times.ts';
import { IntegerDecoder } from './integer-decoder.ts';
import type { ModelArena } from './model-arena.ts';
import { pointwiseReturnMap } from './return-contexts.ts';
import { addToMedian, medianOffset, medianWords } from './running-median.ts';
import { WavePacketDecoder } from './wave-packets.ts';

const changedReturns = 32;
const changedIntensity = 16;
const changedClass = 8;
const changedAngle = 4;
const changedUserData = 2;
const changedSource = 1;

interface PointShape {
  readonly pointFormat: number;
  readonly recordLength: number;
  /** Empty. */
  readonly models: ModelArena;
}

/**
 * Decodes a chunk of the formats 0 to 5 (LASzip's POINT10, GPSTIME11, RGB12, BYTE of version 2, WAVEPACKET13 of version 1), in
 * which the fields of a point follow each other in one stream.
 * @param records gets the points; its length is that of them all
 * @returns whether more was decoded than there are bytes
 */
export function decodePointwise(packed: Uint8Array, records: Uint8Array, shape: PointShape): boolean {
  const { pointFormat, recordLength, models } = shape;
  const decoder = new ArithmeticDecoder(models);
  records.set(packed.subarray(0, recordLength));
  decoder.start(packed, recordLength, packed.length);
  const items = [positionItem(models, records)];
  const { gpsTime, colour, wavePacket } = layoutOf(pointFormat);
  if (gpsTime !== undefined) items.push(timeItem(models, records, gpsTime));
  if (colour !== undefined) items.push(colourItem(models, records, colour));
  if (wavePacket !== undefined) {
    const packets = new WavePacketDecoder(models);
    items.push((at) => packets.read(decoder, records, at + wavePacket, recordLength));
  }
  const baseLength = baseLengthOf(pointFormat)!;
  if (recordLength > baseLength) items.push(bytesItem(models, records, { baseLength, recordLength }));
  for (let at = recordLength; at < records.length; at += recordLength)
    for (const decode of items) decode(at, decoder);
  return decoder.isBeyondEnd;
}

/** Decodes an item of the point at this offset of the records. */
type Item = (at: number, decoder: ArithmeticDecoder) => void;

function positionItem(models: ModelArena, records: Uint8Array): Item {
  const view = viewOf(records);
  const changes = models.symbols(64);
  const returnModels = new Int32Array(256);
  const classModels = new Int32Array(256);
  const userModels = new Int32Array(256);
  const angleModels = new Int32Array(2);
  const intensities = new IntegerDecoder(models, 16, 4);
  const sources = new IntegerDecoder(models, 16, 1);
  const eastings = new IntegerDecoder(models, 32, 2);
  const northings = new IntegerDecoder(models, 32, 22);
  const heights = new IntegerDecoder(models, 32, 20);
  const lastIntensities = new Int32Array(16);
  const lastHeights = new Int32Array(8);
  const eastMedians = new Int32Array(16 * medianWords);
  const northMedians = new Int32Array(16 * medianWords);
  let [x, y, z] = [view.getInt32(0, true), view.getInt32(4, true), view.getInt32(8, true)];
  // LASzip begins with none, whatever the first point has
  let intensity = 0;
  let [returns, kind, angle, user] = [records[14]!, records[15]!, records[16]!, records[17]!];
  let source = view.getUint16(18, true);
  const byteOf = (decoder: ArithmeticDecoder, table: Int32Array, context: number): number => {
    let model = table[context]!;
    if (model === 0) model = table[context] = models.symbols(256);
    return decoder.symbol(model);
  };
  return (at, decoder) => {
    const changed = decoder.symbol(changes);
    if (changed & changedReturns) returns = byteOf(decoder, returnModels, returns);
    const number = returns & 7;
    const count = (returns >> 3) & 7;
    const map = pointwiseReturnMap[count * 8 + number]!;
    const level = Math.abs(count - number);
    const single = count === 1 ? 1 : 0;
    if (changed & changedIntensity) {
      intensity = intensities.read(decoder, lastIntensities[map]!, Math.min(map, 3));
      lastIntensities[map] = intensity;
    } else if (changed !== 0) intensity = lastIntensities[map]!;
    if (changed & changedClass) kind = byteOf(decoder, classModels, kind);
    if (changed & changedAngle) angle = (angle + byteOf(decoder, angleModels, (returns >> 6) & 1)) & 255;
    if (changed & changedUserData) user = byteOf(decoder, userModels, user);
    if (changed & changedSource) source = sources.read(decoder, source, 0);
    const median = map * medianWords;
    const east = eastings.read(decoder, eastMedians[median + medianOffset]!, single);
    x = (x + east) | 0;
    addToMedian(eastMedians, median, east);
    const northContext = single + Math.min(eastings.lastBits & ~1, 20);
    const north = northings.read(decoder, northMedians[median + medianOffset]!, northContext);
    y = (y + north) | 0;
    addToMedian(northMedians, median, north);
    const bits = (eastings.lastBits + northings.lastBits) >> 1;
    z = heights.read(decoder, lastHeights[level]!, single + Math.min(bits & ~1, 18));
    lastHeights[level] = z;
    view.setInt32(at, x, true);
    view.setInt32(at + 4, y, true);
    view.setInt32(at + 8, z, true);
    view.setUint16(at + 12, intensity, true);
    records[at + 14] = returns;
    records[at + 15] = kind;
    records[at + 16] = angle;
    records[at + 17] = user;
    view.setUint16(at + 18, source, true);
  };
}

function timeItem(models: ModelArena, records: Uint8Array, offset: number): Item {
  const view = viewOf(records);
  const times = new GpsTimes(models, 'old');
  times.start(view.getInt32(offset, true), view.getInt32(offset + 4, true));
  return (at, decoder) => {
    times.read(decoder);
    view.setInt32(at + offset, times.low, true);
    view.setInt32(at + offset + 4, times.high, true);
  };
}

function colourItem(models: ModelArena, records: Uint8Array, offset: number): Item {
  const view = viewOf(records);
  const colours = new ColourDecoder(models);
  const colour = new Uint16Array(3);
  for (let band = 0; band < 3; band++) colour[band] = view.getUint16(offset + band * 2, true);
  return (at, decoder) => {
    colours.read(decoder, colour);
    view.setUint16(at + offset, colour[0]!, true);
    view.setUint16(at + offset + 2, colour[1]!, true);
    view.setUint16(at + offset + 4, colour[2]!, true);
  };
}

function bytesItem(
  models: ModelArena,
  records: Uint8Array,
  { baseLength, recordLength }: { readonly baseLength: number; readonly recordLength: number },
): Item {
  const byteModels = Array.from({ length: recordLength - baseLength }, () => models.symbols(256));
  return (at, decoder) => {
    for (let i = 0; i < byteModels.length; i++) {
      const place = at + baseLength + i;
      records[place] = records[place - recordLength]! + decoder.symbol(byteModels[i]!);
    }
  };
}
