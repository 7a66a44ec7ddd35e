import type { Aggregate } from '@platen/geo/mvt/cluster-options';
import type { TilesetFormat } from '../kit/copy-tile-archive.ts';
import type { CompiledModelOptions } from '../features/model-options.ts';
import { readLabels, type LabelSettings } from './labels/label-settings.ts';
import { presets, type PresetDefaults, type PresetName } from './presets.ts';
import { validateOptions } from './validate-options.ts';
import type { TilesVectorOptions } from './spec.ts';

/** The options with all defaults applied. Plain data, as it is sent to threads. */
export interface Settings {
  readonly minZoom: number;
  /** Absent: guessed from the data. */
  readonly maxZoom: number | undefined;
  readonly buffer: number;
  readonly extent: number;
  /** For `compileModel`. */
  readonly model: CompiledModelOptions;
  /** Undefined: labels are not placed. */
  readonly labels: LabelSettings | undefined;
  readonly simplification: number;
  readonly shortestEdges: boolean;
  /** No feature may be rejected. */
  readonly strict: boolean;
  readonly memoryMegabytes: number;
  /** Absent: the number of cores. */
  readonly workers: number | undefined;
  readonly whenTooLarge: NonNullable<PresetDefaults['whenTooLarge']>;
  readonly tileLimitBytes: number;
  readonly tileLimitFeatures: number;
  readonly dust: boolean;
  readonly repair: boolean;
  /** Undefined: points are not clustered. */
  readonly cluster: ClusterSettings | undefined;
  readonly format: TilesetFormat;
  readonly name: string | undefined;
  readonly description: string | undefined;
  readonly attribution: string | undefined;
}

export interface ClusterSettings {
  /** In tile units. */
  readonly distance: number;
  readonly minPoints: number;
  /** Absent: one below the maximum zoom. */
  readonly maxZoom: number | undefined;
  readonly aggregates: Readonly<Record<string, readonly [Aggregate, attribute: string]>>;
}

/**
 * Applies explicit values first, then the preset's, then the general defaults. @throws JobFailure if they contradict
 * each other
 */
export function readSettings(options: TilesVectorOptions): Settings {
  validateOptions(options);
  const { tiling = {}, modelOptions = {}, processing = {}, output = {} } = options;
  const preset: PresetDefaults =
    tiling.preset === undefined ? {} : presets[tiling.preset as PresetName].defaults;
  const extent = tiling.extent ?? 4096;
  return {
    ...readZooms(tiling, preset),
    buffer: tiling.buffer ?? Math.round(((preset.buffer ?? 16) * extent) / 4096),
    extent,
    model: { ...modelOptions, ...(tiling.labels && { labelAttribute: tiling.labels.attribute }) },
    labels: readLabels(tiling.labels as LabelSettings | undefined),
    simplification: processing.simplification ?? preset.simplification ?? 3,
    shortestEdges: processing.antimeridian === 'shortest',
    strict: processing.strict ?? false,
    memoryMegabytes: processing.memoryMegabytes ?? 1024,
    workers: processing.workers,
    whenTooLarge: (processing.whenTooLarge ??
      preset.whenTooLarge ??
      'dropDensest') as Settings['whenTooLarge'],
    tileLimitBytes: (processing.tileLimitKilobytes ?? output.tileLimitKilobytes ?? 500) * 1000,
    tileLimitFeatures: processing.tileLimitFeatures ?? 200_000,
    dust: processing.dust ?? preset.dust ?? true,
    repair: processing.repair ?? true,
    cluster: readCluster(processing.cluster ?? preset.cluster, extent),
    format: (output.format ?? 'pmtiles') as TilesetFormat,
    name: output.name,
    description: output.description,
    attribution: output.attribution,
  };
}

type Group<K extends 'tiling' | 'processing'> = NonNullable<TilesVectorOptions[K]>;

/** A preset yields to explicit values that contradict it. */
function readZooms(tiling: Group<'tiling'>, preset: PresetDefaults): Pick<Settings, 'minZoom' | 'maxZoom'> {
  const { minZoom = 0, maxZoom } = { ...preset, ...tiling };
  if (maxZoom === undefined || minZoom <= maxZoom) return { minZoom, maxZoom };
  return tiling.maxZoom === undefined ? { minZoom, maxZoom: minZoom } : { minZoom: maxZoom, maxZoom };
}

function readCluster(cluster: Group<'processing'>['cluster'], extent: number): ClusterSettings | undefined {
  if (cluster === undefined) return undefined;
  const { distance = 40, minPoints = 2, maxZoom, aggregates = {} } = cluster;
  return {
    // A pixel of a tile that is displayed 512 pixels wide.
    distance: (distance * extent) / 512,
    minPoints,
    maxZoom,
    aggregates: aggregates as ClusterSettings['aggregates'],
  };
}
