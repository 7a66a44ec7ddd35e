import type { HeightDiagnosis } from '../../heights/diagnose-heights.ts';
import type { Box } from '../box.ts';
import { inspectHeights } from '../place/inspect-heights.ts';
import { commonest } from '../sheets/describe-sheets.ts';
import type { PlacedPointSheets } from './place-point-sheets.ts';

interface SheetHeights {
  readonly diagnosis: HeightDiagnosis | undefined;
  /** What all sheets say that their heights count from; undefined: nothing, or not the same. */
  readonly datum: string | undefined;
}

/** What the heights of most sheets count from. Where sheets say different things, no option may be set for all. */
export async function heightsOfSheets({ placed, crs }: PlacedPointSheets, bbox: Box): Promise<SheetHeights> {
  const said = commonest(placed.map(({ header }) => header.vertical?.name ?? ''));
  const [name] = said[0]!;
  const { header, system } = placed.find((sheet) => (sheet.header.vertical?.name ?? '') === name)!;
  const place = { crs: crs ?? { code: system, name: system, isGuessed: false }, bbox: [...bbox] };
  const evidence = {
    fileName: header.name.slice(header.name.lastIndexOf('/') + 1),
    vertical: header.vertical,
  };
  const diagnosis = await inspectHeights(evidence, place);
  if (said.length === 1 || diagnosis === undefined) return { diagnosis, datum: header.vertical?.name };
  const kinds = said.map(([one, count]) => `${one === '' ? 'nothing' : one} (${count})`).join(', ');
  const reason = `The sheets say different things of their heights: ${kinds}. Each is read as it says. ${diagnosis.reason}`;
  return { diagnosis: { ...diagnosis, options: {}, reason }, datum: undefined };
}
