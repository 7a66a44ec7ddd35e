import type { BundleFile } from '@platen/contract/runner-bundle';
import type { FreeForm } from '@platen/contract/schema';
import { openWorlds } from '../../apps/app-pages/world-tiles.ts';
import { createDrawer } from '../../apps/app-pictures/drawn-picture.ts';
import { findApp } from '../../apps/store.ts';
import type { Context } from '../../base/context.ts';
import type { Db } from '../../base/database/database.ts';
import { inTransaction } from '../../base/database/transaction.ts';
import { Failure, invalidAt, notFound } from '../../base/failure.ts';
import type { Caller } from '../../base/caller.ts';
import type { Fence } from '../../jobs/queue/fence.ts';
import { leaseLost, lockHeld } from '../../jobs/queue/lease.ts';
import { fenceOf } from '../../jobs/runners/authorise-runner.ts';
import { openServingCache } from '../../datasources/serving/serving-cache.ts';
import { heavyCache } from '../../base/heavy-cache.ts';
import { appBundle } from './app-bundle.ts';
import { contentsOfApp, contentsOfJob, contentsOfScenario, type Contents } from './contents.ts';
import { datasourceBundle } from './datasource-bundle.ts';
import type { SourceContext } from './folder-part.ts';
import { scenarioBundle } from './scenario-bundle.ts';
import { findScenario } from '../../apps/scenarios/store.ts';
import type { Bundle, Entry } from './part.ts';
import { findContents, keepContents } from './store.ts';

const filesAtOnce = 1000;
/** Beyond it no server of files serves well; a small archive may claim any number of tiles. */
const maxFiles = 20_000_000;
const openBytes = 32 * 1024 * 1024;

/** Bundles of running publishing jobs. */
export interface Bundles {
  readonly sourceContext: SourceContext;
  /** The bundle of an attempt of a job: the same bundle for each request. */
  of(context: Context, caller: Caller): Promise<Bundle>;
  close(): void;
}

export function openBundles(context: Context): Bundles {
  const library = openServingCache(context);
  const sourceContext = { context, library, draw: createDrawer(context, openWorlds()) };
  const open = heavyCache<{ bundle: Bundle; weight: number }>(openBytes, ({ weight }) => weight);
  return {
    sourceContext,
    async of({ db, now }, caller) {
      const fence = fenceOf(caller);
      const { bundle } = await open.get(`${fence.jobId} ${fence.attempt}`, async () => {
        const contents = await beginWith({ ...context, db, now }, fence);
        return { bundle: await bundleOf(sourceContext, contents), weight: JSON.stringify(contents).length };
      });
      return bundle;
    },
    close: () => library.close(),
  };
}

/** The bundle of the current content of an app. @throws Failure `not_found` */
export async function bundleOfApp(
  sourceContext: SourceContext,
  db: Db,
  { projectId, appId }: { projectId: string; appId: string },
): Promise<Bundle> {
  const app = await findApp(db, projectId, appId);
  if (!app) throw notFound('app');
  return bundleOf(sourceContext, await contentsOfApp(db, app));
}

/** The same of a scenario. @throws Failure `not_found` */
export async function bundleOfScenario(
  sourceContext: SourceContext,
  db: Db,
  { projectId, scenarioId }: { projectId: string; scenarioId: string },
): Promise<Bundle> {
  const scenario = await findScenario(db, projectId, scenarioId);
  if (!scenario) throw notFound('scenario');
  return bundleOf(sourceContext, await contentsOfScenario(db, scenario));
}

function bundleOf(sourceContext: SourceContext, contents: Contents): Promise<Bundle> | Bundle {
  switch (contents.kind) {
    case 'app':
      return appBundle(sourceContext, contents);
    case 'datasource':
      return datasourceBundle(sourceContext, contents);
    case 'scenario':
      return scenarioBundle(sourceContext, contents);
  }
}

/** The contents that the attempt began with; determined on the first request. */
async function beginWith({ db, now }: Context, fence: Fence): Promise<Contents> {
  const known = await findContents(db, fence);
  if (known) return known;
  const job = await db
    .selectFrom('job')
    .select(['project_id', 'job_type', 'parameters'])
    .where('id', '=', fence.jobId)
    .executeTakeFirst();
  if (!job) throw leaseLost();
  const { options } = job.parameters as { options: FreeForm };
  const contents = await contentsOfJob(db, { projectId: job.project_id, jobType: job.job_type, options });
  await inTransaction(db, async (tx) => {
    if (!(await lockHeld(tx, fence))) throw leaseLost();
    await keepContents(tx, fence, { contents, now: now() });
  });
  return (await findContents(db, fence)) ?? contents;
}

/** @throws Failure `invalid` for a cursor that was not given out, `unprocessable` for damaged data and too many files */
export async function listFiles(
  bundle: Bundle,
  cursor: string,
): Promise<{ files: BundleFile[]; next?: string }> {
  const start = positionOf(cursor);
  const files: BundleFile[] = [];
  for (let part = start.part; part < bundle.parts.length; part++) {
    const from = part === start.part ? start.from : '';
    for await (const { file, next } of bundle.parts[part]!.list(from)) {
      const { open: _, ...listed } = file;
      files.push(listed);
      if (files.length < filesAtOnce) continue;
      const count = start.count + files.length;
      if (count > maxFiles) throw new Failure('unprocessable', `The bundle has more than ${maxFiles} files.`);
      return { files, next: cursorOf({ part, from: next, count }) };
    }
  }
  return { files };
}

interface BundlePosition {
  /** Which part of the bundle. */
  readonly part: number;
  readonly from: string;
  /** Number of preceding files. */
  readonly count: number;
}

const cursorOf = ({ part, from, count }: BundlePosition) =>
  Buffer.from(JSON.stringify([part, from, count])).toString('base64url');

function positionOf(cursor: string): BundlePosition {
  if (cursor === '') return { part: 0, from: '', count: 0 };
  try {
    const [part, from, count] = JSON.parse(Buffer.from(cursor, 'base64url').toString()) as unknown[];
    const isNumber = (value: unknown): value is number => Number.isSafeInteger(value) && Number(value) >= 0;
    if (isNumber(part) && typeof from === 'string' && isNumber(count)) return { part, from, count };
  } catch {
    // falls through: it is none
  }
  throw invalidAt('cursor', 'It must be empty or the `next` value of the last response.');
}

/** @throws Failure `not_found` */
export async function findFile({ parts }: Bundle, path: string): Promise<Entry> {
  for (const part of parts) {
    const file = await part.find(path);
    if (file) return file;
  }
  throw notFound('file in the bundle');
}
