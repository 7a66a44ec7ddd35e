import type { TilesTerrainOptions } from './spec.ts';

export type OutputKind = 'quantizedMesh' | 'rasterDem' | 'hillshade' | 'contours';
export type OutsideHeight = 'seaLevel' | 'ellipsoid';

/** One file of contour lines. */
export type LineFormat = 'flatgeobuf' | 'geojson';

/** The options with all defaults applied. Plain data, as it is sent to threads. */
export interface Settings {
  readonly kind: OutputKind;
  readonly exaggeration: number;
  /** Metres, added to all heights. */
  readonly offset: number;
  readonly outside: OutsideHeight;
  /** In cells. */
  readonly blend: number;
  readonly fillHoles: number;
  /** Share of the geometric error of a zoom. */
  readonly errorShare: number;
  readonly normals: boolean;
  readonly waterMask: boolean;
  readonly maxZoom: number | undefined;
  readonly memoryMegabytes: number;
  readonly workers: number | undefined;
  readonly strict: boolean;
  readonly format: 'pmtiles' | 'folder' | LineFormat;
  readonly encoding: 'terrarium' | 'mapbox';
  /** Metres from contour line to contour line. */
  readonly interval: number;
  readonly name: string | undefined;
  readonly attribution: string | undefined;
}

const errorShares = { low: 1, standard: 1 / 4, high: 1 / 16 } as const;

/** @param hasBase whether there is terrain beneath, which then fills holes unless the options say how wide ones to fill */
export function readSettings(
  { outside, blend, fillHoles, heights, mesh = {}, processing = {}, output = {} }: TilesTerrainOptions,
  hasBase: boolean,
): Settings {
  return {
    kind: (output.kind ?? 'quantizedMesh') as OutputKind,
    exaggeration: heights?.exaggeration ?? 1,
    offset: heights?.offset ?? 0,
    outside: (outside ?? 'seaLevel') as OutsideHeight,
    blend: blend ?? 16,
    fillHoles: fillHoles ?? (hasBase ? 0 : 1024),
    errorShare: errorShares[(mesh.quality ?? 'standard') as keyof typeof errorShares],
    normals: mesh.normals ?? true,
    waterMask: mesh.waterMask ?? true,
    maxZoom: mesh.maxZoom,
    memoryMegabytes: processing.memoryMegabytes ?? 1024,
    workers: processing.workers,
    strict: processing.strict ?? false,
    format: (output.format ?? 'pmtiles') as Settings['format'],
    encoding: (output.encoding ?? 'terrarium') as Settings['encoding'],
    interval: output.interval ?? 10,
    name: output.name,
    attribution: output.attribution,
  };
}

/** Whether the output is a file of lines instead of tiles. */
export function makesLineFile({ format }: Pick<Settings, 'format'>): boolean {
  return format === 'flatgeobuf' || format === 'geojson';
}
