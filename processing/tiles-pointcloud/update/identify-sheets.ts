import type { JobInput } from '../../job-type.ts';
import type { MosaicSheet } from '../../raster-source/mosaic-sheet.ts';
import { sign, type Signature } from '../../raster-source/sign-units.ts';
import type { ComparedSheets } from '../compare/add-older.ts';
import type { Settings } from '../settings.ts';
import { colourDepths } from '../sheets/colour-depths.ts';

export interface IdentifiedSheets {
  /** Of each sheet, by everything that its points depend on. */
  readonly identities: readonly Signature[];
  /** Of what is no sheet. */
  readonly others: Signature;
}

/** @returns undefined if the content of an input is unknown */
export function identifyPointSheets(
  { sheets, contents, heights: kinds, olderFrom }: ComparedSheets,
  {
    settings,
    heights,
    others,
    images,
  }: {
    readonly settings: Settings;
    /** What is used for each kind of heights. */
    readonly heights: readonly object[];
    readonly others: readonly JobInput[];
    /** Where points get colours from, as they are read. */
    readonly images: readonly MosaicSheet[];
  },
): IdentifiedSheets | undefined {
  if ([...contents, ...others.map(({ content }) => content)].includes(undefined)) return undefined;
  const depthOf = colourDepths(sheets.slice(0, olderFrom), settings);
  const identities = sheets.map(({ heightsOf, ...sheet }, i) => {
    const kind = heightsOf === undefined ? undefined : kinds[heightsOf]!;
    const used = kind && [kind.options, kind.facts.vertical, heights[heightsOf!]];
    return sign([contents[i], sheet, used, i < olderFrom && depthOf(i)]);
  });
  const older = identities.slice(olderFrom).toSorted();
  const files = others.map(({ name, content }) => [name, content]);
  return { identities: identities.slice(0, olderFrom), others: sign([files, images, older]) };
}
