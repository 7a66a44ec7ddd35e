import type { Resampling } from '@platen/geo/raster/kernels';
import { JobFailure } from '../job-type.ts';
import { readColours, type ColourSettings } from '../raster-source/colour-settings.ts';
import { readMask, type MaskSettings } from '../raster-source/mask/mask-settings.ts';
import type { TilesetFormat } from '../kit/copy-tile-archive.ts';
import type { TilesImageryOptions } from './spec.ts';

export type TileFormat = 'auto' | 'jpeg' | 'png' | 'webp' | 'avif';

/** The options with all defaults applied. Plain data, as it is sent to threads. */
export interface Settings extends ColourSettings {
  readonly minZoom: number;
  readonly maxZoom: number | undefined;
  readonly format: TileFormat;
  readonly quality: number;
  readonly resampling: Resampling;
  readonly isLossless: boolean;
  readonly background: readonly [red: number, green: number, blue: number];
  readonly mask: MaskSettings;
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
  mask = {},
  processing = {},
  output = {},
}: TilesImageryOptions): Settings {
  const { minZoom = 0, maxZoom } = tiling;
  if (maxZoom !== undefined && maxZoom < minZoom)
    throw new JobFailure('invalidOption', 'tiling.maxZoom must not be lower than tiling.minZoom.');
  return {
    minZoom,
    maxZoom,
    format: (image.format ?? 'auto') as TileFormat,
    quality: image.quality ?? 85,
    isLossless: image.lossless ?? false,
    background: backgroundOf(image.background ?? '#ffffff'),
    ...readColours(colour),
    mask: readMask(mask),
    resampling: (tiling.resampling ?? 'bilinear') as Resampling,
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
