import type { ConvertRasterOptions } from './spec.ts';

/** The options with all defaults applied. */
export interface Settings {
  readonly compression: 'deflate' | 'zstd';
  readonly strict: boolean;
  readonly memoryMegabytes: number;
  readonly workers: number | undefined;
}

export function readSettings({ analysis = {}, processing = {} }: ConvertRasterOptions): Settings {
  return {
    compression: (analysis.compression ?? 'deflate') as Settings['compression'],
    strict: processing.strict ?? false,
    memoryMegabytes: processing.memoryMegabytes ?? 1024,
    workers: processing.workers,
  };
}
