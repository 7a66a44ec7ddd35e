import { JobFailure } from '../job-type.ts';
import type { ConvertRasterOptions } from './spec.ts';

/** The options with all defaults applied. */
export interface Settings {
  readonly use: 'viewer' | 'analysis';
  /** Of tiles for the viewer. */
  readonly format: 'jpeg' | 'webp';
  readonly quality: number;
  /** The bands of red, green and blue, or of grey; the first is 1. */
  readonly bands: readonly number[] | undefined;
  /** The numbers that become black and white. */
  readonly range: readonly [low: number, high: number] | undefined;
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
  analysis = {},
  processing = {},
  output = {},
}: ConvertRasterOptions): Settings {
  const format = (image.format ?? 'jpeg') as Settings['format'];
  const quality = image.quality ?? 85;
  const { bands, range } = colour;
  if (bands !== undefined && bands.length === 2)
    throw new JobFailure('invalidOption', 'colour.bands must have one band or three.');
  if (range !== undefined && !(range[0]! < range[1]!))
    throw new JobFailure('invalidOption', 'colour.range must begin with the lower number.');
  return {
    use: use as Settings['use'],
    format,
    quality: format === 'jpeg' ? Math.min(maxJpegQuality, quality) : quality,
    bands,
    range: range && [range[0]!, range[1]!],
    compression: (analysis.compression ?? 'deflate') as Settings['compression'],
    strict: processing.strict ?? false,
    memoryMegabytes: processing.memoryMegabytes ?? 1024,
    workers: processing.workers,
    attribution: output.attribution,
  };
}
