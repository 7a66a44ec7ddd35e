import { BytesError } from '../bytes/bytes.ts';
import type { VerticalCrs } from '../crs/vertical-crs.ts';
import { verticalOfCode } from '../crs/vertical-wkt.ts';
import { Geoid } from './geoid.ts';
import { expectedError } from './expected-error.ts';
import { openFolderGrid } from './grid-folder.ts';
import type { GeoidBox } from './grid-window.ts';
import { readGridFile, type GridFile } from './read-grid-file.ts';
import { openShippedGrid } from './shipped-grid-file.ts';
import { egm96, nationalGrids, type ShippedGrid } from './shipped-grids.ts';

export interface GeoidOptions {
  /** A grid to use whatever the heights count from. */
  readonly file?: GridFile;
  /** A folder with further grids: the setting PLATEN_GEOIDS. */
  readonly folder?: string;
  /** Where the data are: of large grids only this part is read. */
  readonly box?: GeoidBox;
}

/** `approximateGeoid`: another zero level than that of the heights is used. */
export interface GeoidNote {
  readonly code: 'approximateGeoid';
  readonly message: string;
}

export interface OpenedGeoid {
  readonly geoid: Geoid;
  /** The grid that is used: `GCG2016`, or the name of a file. */
  readonly name: string;
  /** What ellipsoidal heights may be off by; undefined for a file, which does not say it. */
  readonly accuracyMetres: number | undefined;
  /** The same outside the grid, where EGM96 is used. */
  readonly outsideMetres: number;
  readonly notes: readonly GeoidNote[];
}

/**
 * The geoid for heights: the file given, else a grid of the folder, else one that is shipped, else EGM96 with a note of
 * the error to expect. Outside of any but EGM96, that one counts.
 * @throws BytesError with a whole sentence when the given file cannot be used
 */
export async function openGeoid(vertical: VerticalCrs, options: GeoidOptions = {}): Promise<OpenedGeoid> {
  const world = await openShippedGrid(egm96);
  const { file, folder, box } = options;
  const own = { accuracyMetres: undefined, outsideMetres: expectedError(vertical) };
  if (file !== undefined) {
    const grid = await readGivenGrid(file, box);
    return { ...own, geoid: new Geoid(grid, world), name: file.name, notes: [] };
  }
  const inFolder = folder === undefined ? undefined : await openFolderGrid(folder, vertical, box);
  if (inFolder?.grid !== undefined) {
    return { ...own, geoid: new Geoid(inFolder.grid, world), name: inFolder.name, notes: [] };
  }
  const shipped = shippedGridFor(vertical);
  if (shipped === undefined) return approximate(vertical, new Geoid(world), inFolder?.fault);
  const { grid, differenceMetres } = shipped;
  const accuracyMetres = grid.accuracyMetres + differenceMetres;
  const isWorld = grid === egm96;
  return {
    geoid: isWorld ? new Geoid(world) : new Geoid(await openShippedGrid(grid), world),
    name: grid.name,
    accuracyMetres,
    outsideMetres: isWorld ? accuracyMetres : grid.egm96Metres + egm96.accuracyMetres,
    notes:
      differenceMetres === 0
        ? []
        : [
            {
              code: 'approximateGeoid',
              message: `heights of ${vertical.name} are computed with ${grid.name}, which is made for other heights: they may be off by ${accuracyMetres.toFixed(2)} m`,
            },
          ],
  };
}

async function readGivenGrid(file: GridFile, box: GeoidBox | undefined) {
  try {
    return await readGridFile(file, box);
  } catch (error) {
    if (!(error instanceof BytesError)) throw error;
    throw new BytesError(`The geoid grid ${file.name} cannot be used: ${error.message}.`, { cause: error });
  }
}

function shippedGridFor({ datum }: VerticalCrs): { grid: ShippedGrid; differenceMetres: number } | undefined {
  if (datum === undefined) return undefined;
  for (const grid of [egm96, ...nationalGrids]) {
    if (datumOf(grid.code) === datum) return { grid, differenceMetres: 0 };
    const related = Object.entries(grid.related ?? {}).find(([code]) => datumOf(code) === datum);
    if (related !== undefined) return { grid, differenceMetres: related[1] };
  }
  return undefined;
}

function datumOf(code: string): string | undefined {
  return verticalOfCode(code)?.datum;
}

function approximate(vertical: VerticalCrs, geoid: Geoid, fault: string | undefined): OpenedGeoid {
  const metres = expectedError(vertical);
  const cause = fault === undefined ? '' : ` (${fault})`;
  return {
    geoid,
    name: egm96.name,
    accuracyMetres: metres,
    outsideMetres: metres,
    notes: [
      {
        code: 'approximateGeoid',
        message: `no geoid grid for ${vertical.name} is available${cause}, so EGM96 is used: heights may be off by ${metres} m. Provide its grid to be exact`,
      },
    ],
  };
}
