import { columnsOfRoles } from '@platen/formats/points/column-names';
import type { TableColumns } from '@platen/formats/points/point-table';
import type { HeightMode } from '../heights/height-mode.ts';
import type { HeightOptions } from '../heights/height-options.ts';
import { JobFailure } from '../job-type.ts';
import { checkBox, type Box } from './place/box-filter.ts';
import type { TilesPointcloudOptions } from './spec.ts';

export interface ColourSettings {
  /** Also those that have a colour. */
  readonly isAlways: boolean;
  /** Undefined: all. */
  readonly classes: readonly number[] | undefined;
}

/** The options with all defaults applied. Plain data, as it is sent to threads. */
export interface Settings {
  /** Names; undefined: what varies of the usual ones. */
  readonly attributes: readonly string[] | undefined;
  /** Undefined: all. */
  readonly classes: readonly number[] | undefined;
  /** Numbers of returns; undefined: all. */
  readonly returns: readonly number[] | undefined;
  readonly keepsWithheld: boolean;
  /** Undefined: all points. */
  readonly box: Box | undefined;
  /** What the columns of texts hold; undefined: as their heading says, or as is usual. */
  readonly columns: TableColumns | undefined;
  readonly colourDepth: 8 | 16 | undefined;
  readonly pointsPerTile: number;
  readonly precisionMetres: number;
  /** Of the coarsest tile, a power of two; undefined: as it comes out. */
  readonly spacingMetres: number | undefined;
  readonly dropDuplicates: boolean;
  /** Which points get the colours of images. */
  readonly colour: ColourSettings | undefined;
  /** How far the older cloud is looked for, if there is one. */
  readonly compareMetres: number | undefined;
  readonly mode: HeightMode;
  /** What the heights of files count from. */
  readonly heights: HeightOptions;
  /** In metres: how far above the ellipsoid or the terrain a cloud is put that is moved onto it. */
  readonly groundOffset: number;
  readonly memoryMegabytes: number;
  readonly workers: number | undefined;
  readonly strict: boolean;
  readonly encoding: 'pnts' | 'glb';
  readonly format: '3tz' | 'folder';
  /** Of tiles in an archive. */
  readonly packing: 'zstd' | 'deflate';
}

/** @throws JobFailure if they cannot be followed */
export function readSettings({
  modelOptions = {},
  heights = {},
  tiling = {},
  processing = {},
  output = {},
}: TilesPointcloudOptions): Settings {
  const { colourDepth = 'auto' } = modelOptions;
  const { mode = 'ellipsoid', ...heightOptions } = heights;
  const isMoved = mode === 'flat' || mode === 'terrain';
  return {
    attributes: modelOptions.attributes,
    classes: modelOptions.classes,
    returns: modelOptions.returns,
    keepsWithheld: modelOptions.withheld === 'keep',
    box: checkBox(modelOptions.box),
    columns: columnsOf(modelOptions),
    colourDepth: colourDepth === 'auto' ? undefined : colourDepth === '8' ? 8 : 16,
    pointsPerTile: tiling.pointsPerTile ?? 60_000,
    precisionMetres: tiling.precisionMetres ?? 0.005,
    spacingMetres: tiling.spacing === undefined ? undefined : 2 ** Math.floor(Math.log2(tiling.spacing)),
    dropDuplicates: processing.duplicates !== 'keep',
    colour: processing.colour && {
      isAlways: processing.colour.when === 'always',
      classes: processing.colour.classes,
    },
    compareMetres: processing.compareTo && (processing.compareTo.maxMetres ?? 5),
    mode: mode as HeightMode,
    // what moves the whole cloud is not in its tiles, so that comparisons can undo it
    heights: isMoved ? { ...heightOptions, offset: 0 } : heightOptions,
    groundOffset: isMoved ? (heightOptions.offset ?? 0) : 0,
    memoryMegabytes: processing.memoryMegabytes ?? 1024,
    workers: processing.workers,
    strict: processing.strict ?? false,
    encoding: (output.encoding ?? 'pnts') as Settings['encoding'],
    format: (output.format ?? '3tz') as Settings['format'],
    packing: (output.packing ?? 'zstd') as Settings['packing'],
  };
}

function columnsOf({
  columns: roles,
}: NonNullable<TilesPointcloudOptions['modelOptions']>): TableColumns | undefined {
  if (roles === undefined) return undefined;
  const columns = columnsOfRoles(roles);
  if (columns !== undefined) return columns;
  throw new JobFailure('invalidOption', '/modelOptions/columns: x, y and z are not all among the columns.');
}
