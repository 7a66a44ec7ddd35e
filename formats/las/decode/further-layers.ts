import { viewOf } from '../../bytes/read-exactly.ts';
import { ColourDecoder } from './colour-decoder.ts';
import type { OpenLayer } from './decode-layered.ts';
import type { ModelArena } from './model-arena.ts';

/** Decodes one layer of the point at this offset of the records. @param channel that the point counts to, by `PointDecoder` */
export type FurtherLayer = (at: number, channel: number) => void;

interface LayerContext {
  readonly models: ModelArena;
  /** With the first point. */
  readonly records: Uint8Array;
  readonly openLayer: OpenLayer;
  readonly isVersion4: boolean;
}

/** What a layer of one scanner channel is decoded by: models, and its last value. */
interface ChannelState<Models, Last> {
  readonly models: Models;
  last: Last;
}

interface Choice<Models, Last> {
  readonly models: Models;
  /** Holds the value that the next one is predicted from, and then the next one. */
  readonly holder: ChannelState<Models, Last>;
}

/**
 * Chooses the models and the last value for a point of a scanner channel. Where LASzip comes back to a channel, it takes the models of
 * that channel, but in version 3 the last value of the channel before, and keeps the new value there: another fault. A channel that occurs for the first time begins with the value of the channel before.
 */
function perChannel<Models, Last>(
  first: number,
  start: Last,
  {
    isVersion4,
    create,
    copy,
  }: { readonly isVersion4: boolean; readonly create: () => Models; readonly copy: (last: Last) => Last },
): (channel: number) => Choice<Models, Last> {
  const states: (ChannelState<Models, Last> | undefined)[] = [];
  let state: ChannelState<Models, Last> = { models: create(), last: start };
  states[first] = state;
  let current = first;
  return (channel) => {
    if (channel === current) return { models: state.models, holder: state };
    const before = state;
    const known = states[channel];
    state = states[channel] ??= { models: create(), last: copy(before.last) };
    current = channel;
    return { models: state.models, holder: known === undefined || isVersion4 ? state : before };
  };
}

const channelOf = (records: Uint8Array): number => (records[15]! >> 4) & 3;

export function createColourLayers({
  models,
  records,
  openLayer,
  colour,
  infrared,
  isVersion4,
}: LayerContext & { readonly colour: number; readonly infrared: number | undefined }): FurtherLayer[] {
  const layers: FurtherLayer[] = [];
  const view = viewOf(records);
  const decoder = openLayer('colour');
  const first = Uint16Array.from({ length: 3 }, (_, band) => view.getUint16(colour + band * 2, true));
  if (decoder !== undefined) {
    const choose = perChannel(channelOf(records), first, {
      isVersion4,
      create: () => new ColourDecoder(models),
      copy: (last) => last.slice(),
    });
    layers.push((at, channel) => {
      const { models: colours, holder } = choose(channel);
      const { last } = holder;
      colours.read(decoder, last);
      for (let band = 0; band < 3; band++) view.setUint16(at + colour + band * 2, last[band]!, true);
    });
  } else layers.push((at) => records.copyWithin(at + colour, colour, colour + 6));
  if (infrared !== undefined)
    layers.push(createInfraredLayer({ models, records, openLayer, infrared, isVersion4 }));
  return layers;
}

function createInfraredLayer({
  models,
  records,
  openLayer,
  infrared,
  isVersion4,
}: LayerContext & { readonly infrared: number }): FurtherLayer {
  const view = viewOf(records);
  const decoder = openLayer('infrared');
  if (decoder === undefined) return (at) => records.copyWithin(at + infrared, infrared, infrared + 2);
  const choose = perChannel(channelOf(records), view.getUint16(infrared, true), {
    isVersion4,
    create: () => ({ used: models.symbols(4), low: models.symbols(256), high: models.symbols(256) }),
    copy: (last) => last,
  });
  return (at, channel) => {
    const { models: own, holder } = choose(channel);
    const used = decoder.symbol(own.used);
    let [low, high] = [holder.last & 255, holder.last >> 8];
    if (used & 1) low = (low + decoder.symbol(own.low)) & 255;
    if (used & 2) high = (high + decoder.symbol(own.high)) & 255;
    holder.last = low | (high << 8);
    view.setUint16(at + infrared, holder.last, true);
  };
}

/** Each extra byte lies in a layer of its own. */
export function createExtraLayers({
  models,
  records,
  openLayer,
  from,
  extraBytes,
  isVersion4,
}: LayerContext & { readonly from: number; readonly extraBytes: number }): FurtherLayer[] {
  return Array.from({ length: extraBytes }, (_, i): FurtherLayer => {
    const place = from + i;
    const decoder = openLayer('extraBytes');
    if (decoder === undefined) return (at) => (records[at + place] = records[place]!);
    const choose = perChannel(channelOf(records), records[place]!, {
      isVersion4,
      create: () => models.symbols(256),
      copy: (last) => last,
    });
    return (at, channel) => {
      const { models: model, holder } = choose(channel);
      holder.last = (holder.last + decoder.symbol(model)) & 255;
      records[at + place] = holder.last;
    };
  });
}
