import { join } from 'node:path';
import type { BlockPlace } from '@platen/geo/terrain/height-grid';
import type { JobContext } from '../job-type.ts';
import { openFormerTiles } from '../kit/former-tiles.ts';
import { readPackedManifest, writePackedManifest } from '../kit/packed-manifest.ts';
import type { UnitTiles } from '../kit/tile-log.ts';
import type { CountedWarning } from '../kit/warning-counter.ts';
import { archiveName } from '../kit/write-tile-archive.ts';
import { archiveZoomOf } from '../raster-source/archive-order.ts';
import type { DegreeBox } from '../raster-source/plan-units.ts';
import { logSheetChanges, type SheetRecord } from '../raster-source/sheet-records.ts';
import type { Signature } from '../raster-source/sign-units.ts';
import { keyOf, layerOfZoom, layersOf, type PyramidShape } from '../raster-source/zoom-layers.ts';
import { touchedBlocks } from './pyramid/touched-blocks.ts';
import type { PyramidUnit } from './pyramid/pyramid-unit.ts';

/** What the tiles of an archive were made of. The pieces of its file are the units above the base, as scratch files have them. */
interface TerrainManifest {
  readonly baseZoom: number;
  /** Of what all tiles depend on. */
  readonly common: Signature;
  readonly sheets: readonly SheetRecord[];
  /** Where the sheets may have cells; manifests of earlier versions do not say. */
  readonly boxes?: readonly DegreeBox[];
  /** Of the pyramid, from the base to the top. */
  readonly units: readonly UnitRecord[];
  readonly tiles: readonly TilesRecord[];
}

type UnitRecord = readonly [
  z: number,
  x: number,
  y: number,
  signature: Signature,
  /** A digit for each block. */
  hasData: string,
  isFull: boolean,
  sharesWater: boolean,
  warnings: readonly CountedWarning[],
];
/** A unit, and what its tiles depend on. */
type TilesRecord = readonly [key: string, signature: Signature];

/** The pyramid and the tiles of the run whose datasource a job updates. */
export interface FormerTerrain {
  /** A unit, if it was made of the same. Those of the base have no cells. */
  unit(place: BlockPlace, signature: Signature): PyramidUnit | undefined;
  /** Where the cells of a unit above the base are, whatever it was made of. */
  rangeOf(place: BlockPlace): PyramidUnit['range'];
  /** What a unit of the pyramid was made of. @param key of its place */
  signatureOf(key: string): Signature | undefined;
  /** Whether the tiles of a unit depended on the same. */
  hasTiles(unit: BlockPlace, signature: Signature): boolean;
  /** Copies the tiles of a unit. @param instead those that replace their former ones */
  copyTiles(unit: BlockPlace, instead?: UnitTiles): Promise<UnitTiles>;
  /** The keys of the blocks of the base that changed, new and gone sheets touch; undefined if that is not known. */
  readonly touched: ReadonlySet<string> | undefined;
  close(): Promise<void>;
}

const manifestName = `${archiveName}.manifest`;

interface UpdateOptions {
  readonly shape: PyramidShape;
  readonly sheets: readonly SheetRecord[];
  readonly boxes: readonly DegreeBox[];
  /** Of what all tiles depend on. */
  readonly common: Signature;
  readonly folder: string;
  readonly attempt: number;
  readonly context: JobContext;
}

/** @returns undefined if there is no former run, or nothing of it can be used, which the log explains */
export async function openFormerTerrain({
  shape,
  sheets,
  boxes,
  common,
  folder,
  attempt,
  context,
}: UpdateOptions): Promise<FormerTerrain | undefined> {
  const manifest = readPackedManifest<TerrainManifest>(context);
  if (!manifest) return undefined;
  const { value, pieces } = manifest;
  const because = (reason: string, message: string): undefined =>
    context.log('info', `All tiles are made again: ${message}`, { reason }) as undefined;
  if (value.baseZoom !== shape.baseZoom)
    return because(
      'zooms',
      `the finest sheet now belongs to zoom ${shape.baseZoom}, formerly to ${value.baseZoom}.`,
    );
  if (value.common !== common)
    return because('otherInputs', 'the water, the terrain beneath, or the grid of the geoid is another one.');
  logSheetChanges(value.sheets, sheets, context);
  const units = new Map(
    value.units.map(
      ([z, x, y, signature, blocks, isFull, sharesWater, warnings], i): [string, PyramidUnit] => {
        const hasData = Uint8Array.from(blocks, Number);
        return [
          keyOf({ z, x, y }),
          { unit: { z, x, y }, range: pieces[i], hasData, isFull, signature, warnings, sharesWater },
        ];
      },
    ),
  );
  const tileSignatures = new Map(value.tiles);
  const archive = context.former!.results[0]!.path;
  const tiles = await openFormerTiles({ archive, folder, name: `former-${attempt}`, sharesEqual: false });
  const layers = layersOf(shape);
  return {
    unit(place, signature) {
      const known = units.get(keyOf(place));
      return known?.signature === signature ? known : undefined;
    },
    rangeOf: (place) => units.get(keyOf(place))?.range,
    signatureOf: (key) => units.get(key)?.signature,
    hasTiles: (unit, signature) => tileSignatures.get(keyOf(unit)) === signature,
    touched:
      value.boxes && touchedBlocks(shape, { sheets: value.sheets, boxes: value.boxes }, { sheets, boxes }),
    async copyTiles(unit, instead) {
      const { bottomZoom } = layerOfZoom(layers, unit.z);
      const [z, bottom] = [unit.z, bottomZoom].map((zoom) => archiveZoomOf(shape.grid, zoom)) as [
        number,
        number,
      ];
      return tiles.copy({ ...unit, z, bottomZoom: bottom }, instead);
    },
    close: () => tiles.close(),
  };
}

interface MadeOf {
  readonly shape: PyramidShape;
  readonly sheets: readonly SheetRecord[];
  readonly boxes: readonly DegreeBox[];
  readonly common: Signature;
  readonly units: readonly PyramidUnit[];
  readonly tiles: ReadonlyMap<string, Signature>;
}

/** Records what the tiles were made of, for the next update. @returns the name of the file in the output folder */
export function writeTerrainManifest(
  { shape, sheets, boxes, common, units, tiles }: MadeOf,
  outputFolder: string,
): string {
  const baseRoot = layersOf(shape)[0]!.rootZoom;
  const value: TerrainManifest = {
    baseZoom: shape.baseZoom,
    common,
    sheets,
    boxes,
    units: units.map(({ unit, signature, hasData, isFull, sharesWater, warnings }) => [
      unit.z,
      unit.x,
      unit.y,
      signature,
      hasData.join(''),
      isFull,
      sharesWater,
      warnings,
    ]),
    tiles: [...tiles],
  };
  const pieces = units.map(({ unit, range }) => (unit.z < baseRoot ? range : undefined));
  writePackedManifest(join(outputFolder, manifestName), { value, pieces });
  return manifestName;
}
