import { JobFailure } from '../job-type.ts';
import type { ColourStop } from './colour-ramp.ts';

/** How the samples of sheets become colours. */
export interface ColourSettings {
  /** The bands of red, green and blue, or of grey; the first is 1. */
  readonly bands: readonly number[] | undefined;
  /** The numbers that become black and white, or the ends of the ramp. */
  readonly range: readonly [low: number, high: number] | undefined;
  /** Per cent of the lowest and the highest numbers of a sample that become black and white; undefined: the usual, not of 8 bits. */
  readonly stretch: number | undefined;
  /** Above 1, what is dark becomes lighter. */
  readonly gamma: number;
  /** The name of a ramp that colours one band. */
  readonly ramp: string | undefined;
  /** Own colours of one band, in ascending order of their values. */
  readonly stops: readonly ColourStop[] | undefined;
  /** Colours of `stops` reach from their value to the next. */
  readonly isClassed: boolean;
}

export interface ColourOptions {
  readonly bands?: readonly number[];
  readonly range?: readonly number[];
  readonly stretch?: number;
  readonly gamma?: number;
  readonly ramp?: string;
  readonly stops?: readonly ColourStop[];
  readonly classed?: boolean;
}

/** The option `colour`. @throws JobFailure where it contradicts itself */
export function readColours({
  bands,
  range,
  stretch,
  gamma,
  ramp,
  stops,
  classed = false,
}: ColourOptions): ColourSettings {
  const refuse = (message: string): never => {
    throw new JobFailure('invalidOption', message);
  };
  if (bands?.length === 2) refuse('colour.bands must have one band or three.');
  if (range && !(range[0]! < range[1]!)) refuse('colour.range must begin with the lower number.');
  if (range && stretch !== undefined)
    refuse('colour.range says what becomes black and white. Remove it, or colour.stretch.');
  const coloured = stops ? 'colour.stops' : 'colour.ramp';
  if ((stops ?? ramp) !== undefined && bands?.length === 3)
    refuse(`${coloured} colours one band, but colour.bands names three. Name one.`);
  if (stops && (ramp ?? range ?? stretch ?? gamma) !== undefined)
    refuse(
      'colour.stops says which value has which colour. Remove it, or colour.ramp, colour.range, colour.stretch and colour.gamma.',
    );
  if (classed && !stops) refuse('colour.classed needs colour.stops, whose colours become classes.');
  const falling = stops?.findIndex(({ value }, i) => i > 0 && !(value > stops[i - 1]!.value)) ?? -1;
  if (falling > 0)
    refuse(
      `The values of colour.stops must ascend, but ${stops![falling]!.value} follows ${stops![falling - 1]!.value}.`,
    );
  return {
    bands,
    range: range && [range[0]!, range[1]!],
    stretch,
    gamma: gamma ?? 1,
    ramp,
    stops,
    isClassed: classed,
  };
}
