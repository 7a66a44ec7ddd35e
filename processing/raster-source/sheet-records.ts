import type { JobContext } from '../job-type.ts';

/** The name of a sheet, and what its pixels depend on. */
export type SheetRecord = readonly [name: string, identity: string];

/** Writes to the log how the sheets differ from those of the run that a job updates. */
export function logSheetChanges(
  former: readonly SheetRecord[],
  sheets: readonly SheetRecord[],
  { log }: JobContext,
): void {
  const before = new Map(former);
  const now = new Map(sheets);
  const added = sheets.filter(([name]) => !before.has(name)).length;
  const changed = sheets.filter(
    ([name, identity]) => before.has(name) && before.get(name) !== identity,
  ).length;
  const removed = former.filter(([name]) => !now.has(name)).length;
  log(
    'info',
    `Of ${sheets.length} sheets, ${changed} have changed or are read in another way, and ${added} are new; ${removed} are gone.`,
    { sheets: sheets.length, changed, added, removed },
  );
}
