import { BytesError } from '../../bytes/bytes.ts';
import { viewOf } from '../../bytes/read-exactly.ts';
import type { ArithmeticDecoder } from './arithmetic-decoder.ts';
import type { LayeredField, OpenLayer } from './decode-layered.ts';
import { GpsTimes } from './gps-times.ts';
import { IntegerDecoder } from './integer-decoder.ts';
import type { ModelArena } from './model-arena.ts';
import { layeredReturnMap } from './return-contexts.ts';
import { addToMedian, medianOffset, medianWords } from './running-median.ts';

/** The layers of POINT14, in their order; the first two always decode. */
export const pointLayers = [
  undefined,
  undefined,
  'classification',
  'flags',
  'intensity',
  'scanAngle',
  'userData',
  'pointSource',
  'gpsTime',
] as const satisfies readonly (LayeredField | undefined)[];

const changedChannel = 64;
const changedSource = 32;
const changedTime = 16;
const changedAngle = 8;
const changedReturns = 4;
const numberChange = 3;

/** What is predicted from of one scanner channel: its last point, and models. */
class Channel {
  readonly changes = new Int32Array(8);
  readonly returnModels = new Int32Array(16);
  readonly numberModels = new Int32Array(16);
  readonly classModels = new Int32Array(64);
  readonly flagModels = new Int32Array(64);
  readonly userModels = new Int32Array(64);
  channelModel = 0;
  sameTimeModel = 0;
  readonly eastings: IntegerDecoder;
  readonly northings: IntegerDecoder;
  readonly heights: IntegerDecoder;
  readonly intensities: IntegerDecoder;
  readonly angles: IntegerDecoder;
  readonly sources: IntegerDecoder;
  readonly times: GpsTimes;
  readonly eastMedians = new Int32Array(12 * medianWords);
  readonly northMedians = new Int32Array(12 * medianWords);
  readonly lastHeights = new Int32Array(8);
  readonly lastIntensities = new Int32Array(8);
  isNewTime = 0;
  x = 0;
  y = 0;
  z = 0;
  intensity = 0;
  number = 0;
  returns = 0;
  /** Flags of the class, of the scan direction and of the edge of the flight line: 6 bits without the scanner channel. */
  flags = 0;
  kind = 0;
  user = 0;
  angle = 0;
  source = 0;

  constructor(models: ModelArena) {
    this.eastings = new IntegerDecoder(models, 32, 2);
    this.northings = new IntegerDecoder(models, 32, 22);
    this.heights = new IntegerDecoder(models, 32, 20);
    this.intensities = new IntegerDecoder(models, 16, 4);
    this.angles = new IntegerDecoder(models, 16, 2);
    this.sources = new IntegerDecoder(models, 16, 1);
    this.times = new GpsTimes(models, 'new');
  }

  /** Begins with the last point of another channel. */
  begin(last: Pick<Channel, (typeof copied)[number]>, low: number, high: number): this {
    for (const name of copied) this[name] = last[name];
    this.lastHeights.fill(last.z);
    this.lastIntensities.fill(last.intensity);
    this.times.start(low, high);
    return this;
  }
}

const copied = [
  'x',
  'y',
  'z',
  'intensity',
  'number',
  'returns',
  'flags',
  'kind',
  'user',
  'angle',
  'source',
  'isNewTime',
] as const;

/** Decodes POINT14 of version 3 or 4. */
export class PointDecoder {
  private readonly models: ModelArena;
  private readonly records: Uint8Array;
  private readonly view: DataView;
  private readonly layers: readonly (ArithmeticDecoder | undefined)[];
  private readonly channels: (Channel | undefined)[] = [];
  private current: number;
  private readonly hasOthers: boolean;
  private readonly isVersion4: boolean;

  /**
   * @param records with the first point
   * @param hasOthers whether anything but positions, returns, flags and class is wanted
   */
  constructor(
    models: ModelArena,
    records: Uint8Array,
    {
      openLayer,
      hasOthers,
      isVersion4,
    }: { readonly openLayer: OpenLayer; readonly hasOthers: boolean; readonly isVersion4: boolean },
  ) {
    this.hasOthers = hasOthers;
    this.isVersion4 = isVersion4;
    this.models = models;
    this.records = records;
    this.view = viewOf(records);
    this.layers = pointLayers.map((field) => openLayer(field));
    this.current = (records[15]! >> 4) & 3;
    const { view } = this;
    const low = view.getInt32(22, true);
    const high = view.getInt32(26, true);
    this.channels[this.current] = new Channel(models).begin(
      {
        x: view.getInt32(0, true),
        y: view.getInt32(4, true),
        z: view.getInt32(8, true),
        intensity: view.getUint16(12, true),
        number: records[14]! & 15,
        returns: records[14]! >> 4,
        flags: (records[15]! & 15) | ((records[15]! >> 2) & 48),
        kind: records[16]!,
        user: records[17]!,
        angle: view.getUint16(18, true),
        source: view.getUint16(20, true),
        isNewTime: 0,
      },
      low,
      high,
    );
  }

  /**
   * Decodes the next point to this offset of the records.
   * @returns the channel that further items count it to: its scanner channel, but in version 3, if that is the same as before, 0, a fault that
   * all its readers share
   */
  read(at: number): number {
    const { models, layers } = this;
    let channel = this.channels[this.current]!;
    const first = layers[0];
    if (first === undefined) throw new BytesError('one of its point chunks is damaged');
    const { number: beforeNumber, returns: beforeReturns } = channel;
    const before =
      (beforeNumber === 1 ? 1 : 0) + (beforeNumber >= beforeReturns ? 2 : 0) + channel.isNewTime * 4;
    const changed = first.symbol(modelIn(models, channel.changes, before, 128));
    if (changed & changedChannel) channel = this.switchChannel(first, channel);
    const isNewTime = changed & changedTime ? 1 : 0;
    const returns =
      changed & changedReturns
        ? first.symbol(modelIn(models, channel.returnModels, channel.returns, 16))
        : channel.returns;
    const number = this.readNumber(first, channel, changed);
    channel.returns = returns;
    channel.number = number;
    const single = returns === 1 ? 1 : 0;
    const median = ((layeredReturnMap[returns * 16 + number]! << 1) | isNewTime) * medianWords;
    const { eastings, northings, eastMedians, northMedians } = channel;
    const east = eastings.read(first, eastMedians[median + medianOffset]!, single);
    channel.x = (channel.x + east) | 0;
    addToMedian(eastMedians, median, east);
    const northContext = single | (Math.min(eastings.lastBits, 20) & ~1);
    const north = northings.read(first, northMedians[median + medianOffset]!, northContext);
    channel.y = (channel.y + north) | 0;
    addToMedian(northMedians, median, north);
    if (layers[1] !== undefined) {
      const bits = Math.min((eastings.lastBits + northings.lastBits) >> 1, 18) & ~1;
      const level = Math.min(Math.abs(returns - number), 7);
      channel.z = channel.heights.read(layers[1], channel.lastHeights[level]!, single | bits);
      channel.lastHeights[level] = channel.z;
    }
    this.readFields(channel, changed, isNewTime);
    channel.isNewTime = isNewTime;
    this.write(at, channel);
    return this.isVersion4 || changed & changedChannel ? this.current : 0;
  }

  private switchChannel(first: ArithmeticDecoder, before: Channel): Channel {
    if (before.channelModel === 0) before.channelModel = this.models.symbols(3);
    this.current = (this.current + first.symbol(before.channelModel) + 1) & 3;
    return (this.channels[this.current] ??= new Channel(this.models).begin(
      before,
      before.times.low,
      before.times.high,
    ));
  }

  private readNumber(first: ArithmeticDecoder, channel: Channel, changed: number): number {
    const { number } = channel;
    switch (changed & numberChange) {
      case 0:
        return number;
      case 1:
        return (number + 1) & 15;
      case 2:
        return (number + 15) & 15;
      default:
        if (changed & changedTime)
          return first.symbol(modelIn(this.models, channel.numberModels, number, 16));
        if (channel.sameTimeModel === 0) channel.sameTimeModel = this.models.symbols(13);
        return (number + first.symbol(channel.sameTimeModel) + 2) & 15;
    }
  }

  private readFields(channel: Channel, changed: number, isNewTime: number): void {
    const { models, layers } = this;
    const { number, returns } = channel;
    const isLast = number >= returns ? 1 : 0;
    const place = (number === 1 ? 2 : 0) + isLast;
    if (layers[2] !== undefined) {
      const context = ((channel.kind & 31) << 1) + (place === 3 ? 1 : 0);
      channel.kind = layers[2].symbol(modelIn(models, channel.classModels, context, 256));
    }
    if (layers[3] !== undefined)
      channel.flags = layers[3].symbol(modelIn(models, channel.flagModels, channel.flags, 64));
    if (!this.hasOthers) return;
    if (layers[4] !== undefined) {
      const context = (place << 1) | isNewTime;
      channel.intensity = channel.intensities.read(layers[4], channel.lastIntensities[context]!, place);
      channel.lastIntensities[context] = channel.intensity;
    }
    if (layers[5] !== undefined && changed & changedAngle)
      channel.angle = channel.angles.read(layers[5], channel.angle, isNewTime);
    if (layers[6] !== undefined)
      channel.user = layers[6].symbol(modelIn(models, channel.userModels, channel.user >> 2, 256));
    if (layers[7] !== undefined && changed & changedSource)
      channel.source = channel.sources.read(layers[7], channel.source, 0);
    if (layers[8] !== undefined && isNewTime === 1) channel.times.read(layers[8]);
  }

  private write(at: number, channel: Channel): void {
    const { view, records, current } = this;
    const { flags } = channel;
    view.setInt32(at, channel.x, true);
    view.setInt32(at + 4, channel.y, true);
    view.setInt32(at + 8, channel.z, true);
    records[at + 14] = channel.number | (channel.returns << 4);
    records[at + 15] = (flags & 15) | (current << 4) | ((flags & 48) << 2);
    records[at + 16] = channel.kind;
    if (!this.hasOthers) return;
    view.setUint16(at + 12, channel.intensity, true);
    records[at + 17] = channel.user;
    view.setUint16(at + 18, channel.angle, true);
    view.setUint16(at + 20, channel.source, true);
    view.setInt32(at + 22, channel.times.low, true);
    view.setInt32(at + 26, channel.times.high, true);
  }
}

function modelIn(models: ModelArena, table: Int32Array, context: number, symbols: number): number {
  let model = table[context]!;
  if (model === 0) model = table[context] = models.symbols(symbols);
  return model;
}
