import { BytesError } from '../../bytes/bytes.ts';
import { viewOf } from '../../bytes/read-exactly.ts';
import { baseLengthOf, layoutOf } from '../point-format.ts';
import { ArithmeticDecoder } from './arithmetic-decoder.ts';
import type { ModelArena } from './model-arena.ts';
import { PointDecoder, pointLayers } from './layered-points.ts';
import { createColourLayers, createExtraLayers, type FurtherLayer } from './further-layers.ts';

/** Fields that lie in layers of their own. Position and returns are always decoded. */
export type LayeredField =
  | 'classification'
  | 'flags'
  | 'intensity'
  | 'scanAngle'
  | 'userData'
  | 'pointSource'
  | 'gpsTime'
  | 'colour'
  | 'infrared'
  | 'extraBytes';

/** Fields of points that few are interested in. */
const otherFields = ['intensity', 'scanAngle', 'userData', 'pointSource', 'gpsTime'] as const;

interface LayeredShape {
  readonly pointFormat: number;
  readonly recordLength: number;
  /** Undefined: all. Others keep the bytes of the first point, or are 0. */
  readonly fields: ReadonlySet<LayeredField> | undefined;
  readonly isVersion4: boolean;
  /** Empty. */
  readonly models: ModelArena;
}

/** Opens the next layer of a chunk; undefined if its field does not change or nobody wants it. */
export type OpenLayer = (field: LayeredField | undefined) => ArithmeticDecoder | undefined;

/**
 * Decodes a chunk of the formats 6 to 10 (LASzip's POINT14, RGB14, RGBNIR14, BYTE14 of version 3 or 4), whose fields lie in layers: those that
 * are not selected are skipped. So are wave packets.
 * @param records gets the points; its length is that of them all
 * @returns whether more was decoded than there are bytes
 * @throws BytesError
 */
export function decodeLayered(packed: Uint8Array, records: Uint8Array, shape: LayeredShape): boolean {
  const { pointFormat, recordLength, fields, isVersion4, models } = shape;
  const { colour, infrared, wavePacket } = layoutOf(pointFormat);
  const extraBytes = recordLength - baseLengthOf(pointFormat)!;
  const furtherLayers =
    (colour === undefined ? 0 : 1) + (infrared === undefined ? 0 : 1) + (wavePacket === undefined ? 0 : 1);
  const layerCount = pointLayers.length + furtherLayers + extraBytes;
  records.set(packed.subarray(0, recordLength));
  // the number of points in the chunk, which its table tells as well
  let sizeAt = recordLength + 4;
  let layerAt = sizeAt + layerCount * 4;
  if (layerAt > packed.length) throw new BytesError('one of its point chunks is damaged');
  const sizes = viewOf(packed);
  const open: ArithmeticDecoder[] = [];
  const openLayer: OpenLayer = (field) => {
    const size = sizes.getUint32(sizeAt, true);
    const from = layerAt;
    sizeAt += 4;
    layerAt += size;
    if (layerAt > packed.length) throw new BytesError('one of its point chunks is damaged');
    const isSkipped = field !== undefined && fields !== undefined && !fields.has(field);
    if (size === 0 || isSkipped) return undefined;
    const decoder = new ArithmeticDecoder(models);
    decoder.start(packed, from, layerAt);
    open.push(decoder);
    return decoder;
  };
  const hasOthers = fields === undefined || otherFields.some((field) => fields.has(field));
  const points = new PointDecoder(models, records, { openLayer, hasOthers, isVersion4 });
  const context = { models, records, openLayer, isVersion4 };
  const further: FurtherLayer[] = [];
  if (colour !== undefined) further.push(...createColourLayers({ ...context, colour, infrared }));
  if (wavePacket !== undefined) {
    layerAt += sizes.getUint32(sizeAt, true);
    sizeAt += 4;
    records.fill(0, wavePacket, wavePacket + 29);
  }
  const from = recordLength - extraBytes;
  if (extraBytes > 0) further.push(...createExtraLayers({ ...context, from, extraBytes }));
  for (let at = recordLength; at < records.length; at += recordLength) {
    const channel = points.read(at);
    for (const layer of further) layer(at, channel);
  }
  return open.some(({ isBeyondEnd }) => isBeyondEnd);
}
