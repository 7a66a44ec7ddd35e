import type { JobInput } from '../../job-type.ts';
import { sign, type Signature } from '../../raster-source/sign-units.ts';
import type { Settings } from '../settings.ts';
import { colourDepths } from '../sheets/colour-depths.ts';
import type { FoundSheets } from '../sheets/find-sheets.ts';

export interface IdentifiedSheets {
  /** Of each sheet, by everything that its points depend on. */
  readonly identities: readonly Signature[];
  /** Of what is no sheet. */
  readonly others: Signature;
}

/** @returns undefined if the content of an input is unknown */
export function identifyPointSheets(
  { sheets, contents, heights: kinds }: FoundSheets,
  {
    settings,
    heights,
    others,
  }: {
    readonly settings: Settings;
    /** What is used for each kind of heights. */
    readonly heights: readonly object[];
    readonly others: readonly JobInput[];
  },
): IdentifiedSheets | undefined {
  if ([...contents, ...others.map(({ content }) => content)].includes(undefined)) return undefined;
  const depthOf = colourDepths(sheets, settings);
  const identities = sheets.map(({ heightsOf, ...sheet }, i) => {
    const kind = heightsOf === undefined ? undefined : kinds[heightsOf]!;
    const used = kind && [kind.options, kind.facts.vertical, heights[heightsOf!]];
    return sign([contents[i], sheet, used, depthOf(i)]);
  });
  return { identities, others: sign(others.map(({ name, content }) => [name, content])) };
}
