import { surfaceRoles, type SurfaceRole } from '@platen/formats/city-object/surface-roles';
import type { AttributeType } from '../features/coerce.ts';
import type { HeightMode } from '../heights/height-mode.ts';
import type { HeightOptions } from '../heights/height-options.ts';
import type { PlacementOptions } from '../models/placement-options.ts';
import type { OutputSinkFormat } from '../kit/output-sink.ts';
import type { ExtrudeOptions } from './footprint/building-heights.ts';
import type { RoofShape } from './footprint/roofs.ts';
import type { TilesObjectOptions } from './spec.ts';
import { defaultColours } from './tile/colours.ts';

/** The options with all defaults applied. Plain data, as it is sent to threads. */
export interface Settings {
  /** Tenths of the highest level of detail that is used; Infinity for whatever there is. */
  readonly maxLod: number;
  readonly byPart: boolean;
  readonly theme: string | undefined;
  /** Empty: all. */
  readonly classes: readonly string[];
  /** Patterns of attributes; empty: all. */
  readonly include: readonly string[];
  readonly exclude: readonly string[];
  /** An expression of the MapLibre style specification; undefined: all objects. */
  readonly filter: unknown;
  /** Expressions by the names of attributes. */
  readonly computed: Readonly<Record<string, unknown>>;
  /** By the names of attributes. */
  readonly types: Readonly<Record<string, AttributeType>>;
  readonly extrude: ExtrudeOptions;
  readonly placement: PlacementOptions;
  readonly hasInteriors: boolean;
  readonly hasClosures: boolean;
  readonly mode: HeightMode;
  readonly heights: HeightOptions;
  readonly maxTriangles: number;
  readonly maxFeatures: number;
  /** Of tiles below the root; Infinity for as many as there are. */
  readonly maxLevels: number;
  readonly textureFormat: 'none' | 'webp' | 'jpeg' | 'png';
  readonly textureSide: number;
  readonly metresPerTexel: number;
  readonly textureQuality: number;
  readonly colours: Readonly<Record<SurfaceRole, string>>;
  readonly isUnlit: boolean;
  readonly hasOutlines: boolean;
  readonly strict: boolean;
  readonly memoryMegabytes: number;
  readonly workers: number | undefined;
  readonly version: '1.0' | '1.1';
  readonly format: OutputSinkFormat;
}

export function readSettings({
  modelOptions = {},
  heights = {},
  tiling = {},
  textures = {},
  appearance = {},
  processing = {},
  output = {},
}: TilesObjectOptions): Settings {
  const { mode = 'ellipsoid', ...heightOptions } = heights;
  const { lod, extrude = {} } = modelOptions;
  const chosen = Object.entries(appearance.colours ?? {}).filter(([role]) =>
    (surfaceRoles as readonly string[]).includes(role),
  );
  return {
    maxLod: lod === undefined ? Infinity : Math.round(lod * 10),
    byPart: modelOptions.features === 'part',
    theme: modelOptions.theme,
    classes: modelOptions.classes ?? [],
    include: modelOptions.include ?? [],
    exclude: modelOptions.exclude ?? [],
    filter: modelOptions.filter,
    computed: modelOptions.attributes ?? {},
    types: (modelOptions.types ?? {}) as Settings['types'],
    extrude: {
      height: extrude.height,
      base: extrude.base,
      levels: extrude.levels,
      levelHeight: extrude.levelHeight ?? 3,
      defaultHeight: extrude.defaultHeight ?? 6,
      roof: (extrude.roof ?? 'flat') as RoofShape,
    },
    placement: modelOptions.placement ?? {},
    hasInteriors: modelOptions.interiors ?? false,
    hasClosures: modelOptions.closureSurfaces ?? false,
    mode: mode as HeightMode,
    heights: heightOptions,
    maxTriangles: tiling.triangles ?? 60_000,
    maxFeatures: tiling.features ?? 1000,
    maxLevels: tiling.maxLevels ?? Infinity,
    textureFormat: (textures.format ?? 'webp') as Settings['textureFormat'],
    textureSide: textures.size ?? 2048,
    metresPerTexel: textures.metresPerTexel ?? 0.1,
    textureQuality: textures.quality ?? 80,
    colours: { ...defaultColours, ...Object.fromEntries(chosen) },
    isUnlit: appearance.unlit ?? false,
    hasOutlines: appearance.outlines ?? false,
    strict: processing.strict ?? false,
    memoryMegabytes: processing.memoryMegabytes ?? 1024,
    workers: processing.workers,
    version: (output.version ?? '1.1') as Settings['version'],
    format: (output.format ?? '3tz') as OutputSinkFormat,
  };
}
