import { JobFailure } from '../job-type.ts';
import type { TilesetFormat } from '../kit/copy-tile-archive.ts';
import type { TilesImageryOptions } from './spec.ts';

export type TileFormat = 'auto' | 'jpeg' | 'png' | 'webp' | 'avif';

/** The options with all defaults applied. Plain data, as it is sent to threads. */
export interface Settings {
  readonly minZoom: number;
  readonly maxZoom: number | undefined;
  readonly format: TileFormat;
  readonly quality: number;
  readonly isLossless: boolean;
  readonly background: readonly [red: number, green: number, blue: number];
  /** The bands of red, green and blue, or of grey; the first is 1. */
  readonly bands: readonly number[] | undefined;
  /** The numbers that become black and white. */
  readonly range: readonly [low: number, high: number] | undefined;
  readonly strict: boolean;
  readonly memoryMegabytes: number;
  readonly workers: number | undefined;
  readonly container: TilesetFormat;
  readonly name: string | undefined;
  readonly attribution: string | undefined;
}

/** @throws JobFailure where options contradict each other */
export function readSettings({
  tiling = {},
  image = {},
  colour = {},
  processing = {},
  output = {},
}: TilesImageryOptions): Settings {
  const { bands, range } = colour;
  const { minZoom = 0, maxZoom } = tiling;
  if (bands !== undefined && bands.length === 2)
    throw new JobFailure('invalidOption', 'colour.bands must have one band or three.');
  if (range !== undefined && !(range[0]! < range[1]!))
    throw new JobFailure('invalidOption', 'colour.range must begin with the lower number.');
  if (maxZoom !== undefined && maxZoom < minZoom)
    throw new JobFailure('invalidOption', 'tiling.maxZoom must not be lower than tiling.minZoom.');
  return {
    minZoom,
    maxZoom,
    format: (image.format ?? 'auto') as TileFormat,
    quality: image.quality ?? 85,
    isLossless: image.lossless ?? false,
    background: backgroundOf(image.background ?? '#ffffff'),
    bands,
    range: range && [range[0]!, range[1]!],
    strict: processing.strict ?? false,
    memoryMegabytes: processing.memoryMegabytes ?? 1024,
    workers: processing.workers,
    container: (output.format ?? 'pmtiles') as TilesetFormat,
    name: output.name,
    attribution: output.attribution,
  };
}

function backgroundOf(colour: string): [red: number, green: number, blue: number] {
  const value = Number.parseInt(colour.slice(1), 16);
  return [value >> 16, (value >> 8) & 255, value & 255];
}
