import type { HeightOptions } from '../heights/height-options.ts';
import type { OutputSinkFormat } from '../kit/output-sink.ts';
import type { PlacementOptions } from '../models/placement-options.ts';
import type { TilesMeshOptions } from './spec.ts';

/** The options with all defaults applied. Plain data, as it is sent to threads. */
export interface Settings {
  readonly placement: PlacementOptions;
  readonly mode: 'ellipsoid' | 'asGiven' | 'flat';
  readonly heights: HeightOptions;
  readonly maxTriangles: number;
  readonly textureFormat: 'webp' | 'jpeg' | 'none';
  readonly textureSide: number;
  readonly metresPerTexel: number;
  readonly textureQuality: number;
  /** Undefined: without light if there are textures. */
  readonly isUnlit: boolean | undefined;
  readonly strict: boolean;
  readonly memoryMegabytes: number;
  readonly workers: number | undefined;
  readonly format: OutputSinkFormat;
  /** What becomes of tilesets among the inputs. */
  readonly tilesets: 'keep' | 'rebuild';
  readonly version: '1.0' | '1.1';
}

export function readSettings({
  modelOptions = {},
  tilesets = {},
  heights = {},
  tiling = {},
  textures = {},
  appearance = {},
  processing = {},
  output = {},
}: TilesMeshOptions): Settings {
  const { mode = 'ellipsoid', ...heightOptions } = heights;
  return {
    placement: modelOptions.placement ?? {},
    mode: mode as Settings['mode'],
    heights: heightOptions,
    maxTriangles: tiling.triangles ?? 60_000,
    textureFormat: (textures.format ?? 'webp') as Settings['textureFormat'],
    textureSide: textures.size ?? 2048,
    metresPerTexel: textures.metresPerTexel ?? 0.01,
    textureQuality: textures.quality ?? 80,
    isUnlit: appearance.unlit,
    strict: processing.strict ?? false,
    memoryMegabytes: processing.memoryMegabytes ?? 1024,
    workers: processing.workers,
    format: (output.format ?? '3tz') as OutputSinkFormat,
    tilesets: (tilesets.mode ?? 'keep') as Settings['tilesets'],
    version: (output.version ?? '1.1') as Settings['version'],
  };
}
