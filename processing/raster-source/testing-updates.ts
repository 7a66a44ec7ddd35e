import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { readdir, readFile, stat } from 'node:fs/promises';
import { join, relative } from 'node:path';
import fc from 'fast-check';
import type { FormerResults, JobContext, JobInput } from '../job-type.ts';
import type { SheetRun } from './testing.ts';

/** An input whose content is known, as runners know it. */
export async function withContent(input: JobInput): Promise<JobInput> {
  const content = createHash('sha256')
    .update(await readFile(input.path))
    .digest('hex');
  return { ...input, content };
}

/** What any job type that reads sheets has made. */
type MadeRun = Pick<SheetRun, 'result' | 'outputFolder' | 'warnings'>;

/** What a run has left for a job that updates its datasource. */
export async function formerOf({ result, outputFolder }: MadeRun): Promise<FormerResults> {
  const file = async (name: string, index: number) => {
    const path = join(outputFolder, name);
    return { path, name, size: (await stat(path)).size, index };
  };
  return { manifest: await file(result.manifest!, 1), results: [await file(result.datasource!.path, 2)] };
}

/** Hashes of all files that a run has made, by their path. */
export async function outputOf({
  outputFolder,
}: Pick<MadeRun, 'outputFolder'>): Promise<Record<string, string>> {
  const files: Record<string, string> = {};
  for (const entry of await readdir(outputFolder, { recursive: true, withFileTypes: true })) {
    const path = join(entry.parentPath, entry.name);
    if (!entry.isFile()) continue;
    files[relative(outputFolder, path)] = createHash('sha256')
      .update(await readFile(path))
      .digest('hex');
  }
  return files;
}

type Update<Run extends MadeRun> = Run & UpdateLog;

interface UpdateLog {
  readonly logged: readonly (readonly [message: string, data: Record<string, unknown> | undefined])[];
  /** By phase, the units that were copied. */
  readonly copied: Readonly<Record<string, number>>;
}

/** Runs a job type on inputs, to update what a run has left. */
export async function runUpdate<Run extends MadeRun>(
  run: (more: Partial<JobContext>) => Promise<Run>,
  former: MadeRun,
): Promise<Update<Run>> {
  const logged: [string, Record<string, unknown> | undefined][] = [];
  const log: JobContext['log'] = (_level, message, data) => void logged.push([message, data]);
  const made = await run({ former: await formerOf(former), log });
  const laps = logged.filter(([, data]) => data?.['copied'] !== undefined);
  const copied = Object.fromEntries(laps.map(([, data]) => [data!['phase'], Number(data!['copied'])]));
  return { ...made, logged, copied };
}

/** An update makes what a full run makes, and says the same. */
export async function isLikeFull(updated: MadeRun, full: MadeRun): Promise<void> {
  assert.deepEqual(updated.result, full.result);
  assert.deepEqual(updated.warnings, full.warnings);
  assert.deepEqual(await outputOf(updated), await outputOf(full));
}

type SheetChange<Look> =
  | { readonly kind: 'replace' | 'add'; readonly at: number; readonly look: Look }
  | { readonly kind: 'remove'; readonly at: number }
  | { readonly kind: 'move'; readonly at: number; readonly to: number };

/** Random changes of a list of sheets. */
export function anySheetChange<Look>(look: fc.Arbitrary<Look>): fc.Arbitrary<SheetChange<Look>> {
  const at = fc.nat(20);
  return fc.oneof(
    fc.record({ kind: fc.constantFrom('replace' as const, 'add' as const), at, look }),
    fc.record({ kind: fc.constant('remove' as const), at }),
    fc.record({ kind: fc.constant('move' as const), at, to: fc.nat(20) }),
  );
}

/** @param put writes a sheet, in the place of one of this name */
export async function changeSheets<Look>(
  former: readonly JobInput[],
  changes: readonly SheetChange<Look>[],
  put: (look: Look, name?: string) => Promise<JobInput>,
): Promise<readonly JobInput[]> {
  let sheets = former;
  for (const change of changes) {
    const at = change.at % (sheets.length + 1);
    if (change.kind === 'remove' && sheets.length > 1) sheets = sheets.toSpliced(at, 1);
    if (change.kind === 'add') sheets = sheets.toSpliced(at, 0, await put(change.look));
    if (change.kind === 'replace' && at < sheets.length)
      sheets = sheets.with(at, await put(change.look, sheets[at]!.name));
    if (change.kind === 'move' && at < sheets.length)
      sheets = sheets.toSpliced(at, 1).toSpliced(change.to % sheets.length, 0, sheets[at]!);
  }
  return sheets;
}
