import { JobFailure } from '../job-type.ts';

/** How the samples of sheets become colours. */
export interface ColourSettings {
  /** The bands of red, green and blue, or of grey; the first is 1. */
  readonly bands: readonly number[] | undefined;
  /** The numbers that become black and white. */
  readonly range: readonly [low: number, high: number] | undefined;
}

/** The option `colour`. @throws JobFailure where it contradicts itself */
export function readColours({
  bands,
  range,
}: {
  readonly bands?: readonly number[];
  readonly range?: readonly number[];
}): ColourSettings {
  if (bands?.length === 2) throw new JobFailure('invalidOption', 'colour.bands must have one band or three.');
  if (range && !(range[0]! < range[1]!))
    throw new JobFailure('invalidOption', 'colour.range must begin with the lower number.');
  return { bands, range: range && [range[0]!, range[1]!] };
}
