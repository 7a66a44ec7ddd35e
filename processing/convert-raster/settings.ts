import type { Resampling } from '@platen/geo/raster/kernels';
import { readColours, type ColourSettings } from '../raster-source/colour-settings.ts';
import { readMask, type MaskSettings } from '../raster-source/mask/mask-settings.ts';
import type { ConvertRasterOptions } from './spec.ts';

/** The options with all defaults applied. */
export interface Settings extends ColourSettings {
  readonly use: 'viewer' | 'analysis';
  /** Of tiles for the viewer. */
  readonly format: 'jpeg' | 'webp';
  readonly quality: number;
  readonly resampling: Resampling;
  readonly mask: MaskSettings;
  readonly compression: 'deflate' | 'zstd';
  readonly strict: boolean;
  readonly memoryMegabytes: number;
  readonly workers: number | undefined;
  readonly attribution: string | undefined;
}

/** From 90 on, the colours of JPEG in TIFF are stored in a way that map viewers mistake. */
const maxJpegQuality = 89;

/** @throws JobFailure where options contradict each other */
export function readSettings({
  for: use = 'viewer',
  image = {},
  colour = {},
  mask = {},
  analysis = {},
  processing = {},
  output = {},
}: ConvertRasterOptions): Settings {
  const format = (image.format ?? 'jpeg') as Settings['format'];
  const quality = image.quality ?? 85;
  return {
    use: use as Settings['use'],
    format,
    quality: format === 'jpeg' ? Math.min(maxJpegQuality, quality) : quality,
    ...readColours(colour),
    mask: readMask(mask),
    compression: (analysis.compression ?? 'deflate') as Settings['compression'],
    resampling: (image.resampling ?? 'bilinear') as Resampling,
    strict: processing.strict ?? false,
    memoryMegabytes: processing.memoryMegabytes ?? 1024,
    workers: processing.workers,
    attribution: output.attribution,
  };
}
