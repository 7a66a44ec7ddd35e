import { join } from 'node:path';
import type { BlockPlace } from '@platen/geo/terrain/height-grid';
import type { JobContext } from '../job-type.ts';
import { openFormerTiles, type FormerTiles } from '../kit/former-tiles.ts';
import { readPackedManifest, writePackedManifest } from '../kit/packed-manifest.ts';
import type { FileRange } from '../kit/scratch-file.ts';
import type { CountedWarning } from '../kit/warning-counter.ts';
import { archiveName } from '../kit/write-tile-archive.ts';
import type { KnownSheet } from '../raster-source/known-sheets.ts';
import { logSheetChanges, type SheetRecord } from '../raster-source/sheet-records.ts';
import type { Signature } from '../raster-source/sign-units.ts';
import { keyOf, layerOfZoom, layersOf, type PyramidShape } from '../raster-source/zoom-layers.ts';
import type { MadeUnit } from './tasks.ts';

/** What the tiles of an archive were made of. The pieces of its file are the roots of the units. */
interface ImageryManifest {
  readonly baseZoom: number;
  readonly depth: number;
  readonly sheets: readonly SheetRecord[];
  /** What their headers say. */
  readonly known: readonly KnownSheet[];
  readonly units: readonly UnitRecord[];
}

type UnitRecord = readonly [
  z: number,
  x: number,
  y: number,
  signature: Signature,
  warnings: readonly CountedWarning[],
];

/** What the run has left whose datasource a job updates. */
export interface FormerImagery {
  /** Zooms of a unit. */
  readonly depth: number;
  readonly manifest: ImageryManifest;
  readonly archive: string;
  readonly roots: readonly (FileRange | undefined)[];
}

/** A unit with what it was made of. */
export interface SignedUnit {
  readonly made: MadeUnit;
  readonly signature: Signature;
}

/** Units of the former run. */
export interface FormerUnits {
  /** Copies a unit, if it was made of the same. */
  copy(unit: BlockPlace, signature: Signature): Promise<MadeUnit | undefined>;
  close(): Promise<void>;
}

const manifestName = `${archiveName}.manifest`;

/** @returns undefined: there is none, or not with these options */
export function readFormer(context: JobContext): FormerImagery | undefined {
  const read = readPackedManifest<ImageryManifest>(context);
  if (!read) return undefined;
  const { value, pieces } = read;
  return { depth: value.depth, manifest: value, archive: context.former!.results[0]!.path, roots: pieces };
}

interface UpdateOptions {
  readonly shape: PyramidShape;
  readonly sheets: readonly SheetRecord[];
  readonly folder: string;
  readonly attempt: number;
  readonly context: JobContext;
}

/** Opens the units of the former run. @returns undefined if none can be used, which the log explains */
export async function openFormerUnits(
  former: FormerImagery,
  { shape, sheets, folder, attempt, context }: UpdateOptions,
): Promise<FormerUnits | undefined> {
  const { manifest, roots, archive } = former;
  const because = (reason: string, message: string): undefined =>
    context.log('info', `All tiles are made again: ${message}`, { reason }) as undefined;
  if (manifest.baseZoom !== shape.baseZoom)
    return because(
      'zooms',
      `the finest sheet now belongs to zoom ${shape.baseZoom}, formerly to ${manifest.baseZoom}.`,
    );
  if (manifest.depth !== shape.depth)
    return because('memory', 'the job has less memory than when they were made.');
  logSheetChanges(manifest.sheets, sheets, context);
  const units = new Map(
    manifest.units.map(([z, x, y, signature, warnings], i) => [
      keyOf({ z, x, y }),
      { signature, warnings, root: roots[i] },
    ]),
  );
  const name = `former-${attempt}`;
  const tiles: FormerTiles = await openFormerTiles({ archive, folder, name, sharesEqual: true });
  const layers = layersOf(shape);
  return {
    async copy(unit, signature) {
      const known = units.get(keyOf(unit));
      if (known?.signature !== signature) return undefined;
      const { bottomZoom } = layerOfZoom(layers, unit.z);
      return {
        unit,
        root: known.root,
        tiles: known.root ? await tiles.copy({ ...unit, bottomZoom }) : [],
        warnings: known.warnings,
      };
    },
    close: () => tiles.close(),
  };
}

interface MadeOf {
  readonly shape: PyramidShape;
  readonly sheets: readonly SheetRecord[];
  readonly known: readonly KnownSheet[];
  readonly units: readonly SignedUnit[];
}

/** Records what the tiles were made of, for the next update. @returns the name of the file in the output folder */
export function writeManifest(
  { shape: { baseZoom, depth }, sheets, known, units }: MadeOf,
  outputFolder: string,
): string {
  const value: ImageryManifest = {
    baseZoom,
    depth,
    sheets,
    known,
    units: units.map(({ made: { unit, warnings }, signature }) => [
      unit.z,
      unit.x,
      unit.y,
      signature,
      warnings,
    ]),
  };
  const pieces = units.map(({ made }) => made.root);
  writePackedManifest(join(outputFolder, manifestName), { value, pieces });
  return manifestName;
}
