import type { AttributeName, TilesPointcloudOptions } from './spec.ts';

/** The options with all defaults applied. Plain data, as it is sent to threads. */
export interface Settings {
  /** Undefined: what varies of the usual ones. */
  readonly attributes: readonly AttributeName[] | undefined;
  /** Undefined: all. */
  readonly classes: readonly number[] | undefined;
  readonly colourDepth: 8 | 16 | undefined;
  readonly pointsPerTile: number;
  readonly precisionMetres: number;
  readonly dropDuplicates: boolean;
  readonly memoryMegabytes: number;
  readonly workers: number | undefined;
  readonly strict: boolean;
  readonly format: '3tz' | 'folder';
}

export function readSettings({
  modelOptions = {},
  tiling = {},
  processing = {},
  output = {},
}: TilesPointcloudOptions): Settings {
  const { colourDepth = 'auto' } = modelOptions;
  return {
    attributes: modelOptions.attributes as readonly AttributeName[] | undefined,
    classes: modelOptions.classes,
    colourDepth: colourDepth === 'auto' ? undefined : colourDepth === '8' ? 8 : 16,
    pointsPerTile: tiling.pointsPerTile ?? 60_000,
    precisionMetres: tiling.precisionMetres ?? 0.005,
    dropDuplicates: processing.duplicates !== 'keep',
    memoryMegabytes: processing.memoryMegabytes ?? 1024,
    workers: processing.workers,
    strict: processing.strict ?? false,
    format: (output.format ?? '3tz') as Settings['format'],
  };
}
