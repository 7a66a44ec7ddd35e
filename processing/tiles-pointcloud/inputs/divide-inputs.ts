import { JobFailure, type JobInput } from '../../job-type.ts';
import { withoutGeoid } from '../../heights/open-heights.ts';
import { imageEndings } from '../../raster-source/find-sheets.ts';
import type { TilesPointcloudOptions } from '../spec.ts';

/** The inputs by what they are for. */
export interface DividedInputs {
  readonly clouds: readonly JobInput[];
  /** What points get their colours from. */
  readonly images: readonly JobInput[];
  /** What they are compared with. */
  readonly older: readonly JobInput[];
}

/** @throws JobFailure if an option names an input that is not there, or no cloud is left */
export function divideInputs(
  inputs: readonly JobInput[],
  { heights = {}, processing = {} }: TilesPointcloudOptions,
): DividedInputs {
  const { colour, compareTo } = processing;
  const own = withoutGeoid(inputs, heights);
  const images =
    colour === undefined
      ? []
      : colour.from === undefined
        ? own.filter(({ name }) => imageEndings.test(name))
        : named(own, colour.from, 'colour/from');
  if (colour !== undefined && images.length === 0)
    throw new JobFailure(
      'invalidOption',
      '/processing/colour: none of the inputs is an image. Add one, or name a folder or an archive of images in /processing/colour/from.',
    );
  const older = compareTo === undefined ? [] : named(own, compareTo.input, 'compareTo/input');
  const clouds = inputs.filter((input) => !images.includes(input) && !older.includes(input));
  if (clouds.length === 0) throw new JobFailure('emptyInput', 'The job has no input with points.');
  return { clouds, images, older };
}

function named(inputs: readonly JobInput[], name: string, option: string): JobInput[] {
  const found = inputs.filter((input) => input.name === name);
  if (found.length > 1)
    throw new JobFailure(
      'invalidOption',
      `/processing/${option}: ${found.length} inputs are named “${name}”, so it is not clear which of them is meant. Rename one, or name its folder.`,
    );
  if (found.length > 0) return found;
  throw new JobFailure(
    'invalidOption',
    `/processing/${option}: there is no input “${name}”, but ${inputs.map((input) => input.name).join(', ')}.`,
  );
}
