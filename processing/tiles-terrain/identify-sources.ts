import type { JobInput } from '../job-type.ts';
import type { SheetRecord } from '../raster-source/sheet-records.ts';
import { identifySheets, sign, type Signature } from '../raster-source/sign-units.ts';
import type { PlannedSheets } from './plan-sheets.ts';
import type { TilesTerrainOptions } from './spec.ts';

interface Sources {
  /** Those that sheets were read from. */
  readonly inputs: readonly JobInput[];
  /** Water, terrain beneath, and the grid of a geoid. */
  readonly others: readonly JobInput[];
  readonly options: TilesTerrainOptions;
  readonly geoidFolder: string | undefined;
}

/** What all tiles depend on, and each sheet; undefined if the content of an input is unknown, or if all is made again each time. */
export function identifySources(
  { sheets, heights }: PlannedSheets,
  { inputs, others, options, geoidFolder }: Sources,
): { readonly common: Signature; readonly records: readonly SheetRecord[] | undefined } {
  const common = sign(
    others.map(({ name, content, crs, layer, encoding }) => [name, content, crs, layer, encoding]),
  );
  if (options.output?.kind === 'contours') return { common, records: undefined };
  // of a grid in a file, the part around all sheets is read
  const isGridInFile = options.heights?.geoid !== undefined || geoidFolder !== undefined;
  const described = sheets.map(({ heightsOf, facts, ...sheet }) => {
    const { vertical, geoid } = heights[heightsOf]!;
    return { ...sheet, vertical, geoid, geoidBox: isGridInFile ? facts.box : undefined };
  });
  const identities = identifySheets(described, inputs);
  const isKnown = others.every(({ content }) => content !== undefined);
  return {
    common,
    records: isKnown ? identities?.map((identity, i) => [sheets[i]!.name, identity]) : undefined,
  };
}
