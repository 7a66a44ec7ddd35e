import type { ClaimedJob } from '@platen/contract/runner';
import { countWarnings } from '../count-warnings.ts';
import type { Destination } from '../destinations/destination.ts';
import { openDestination } from '../destinations/open.ts';
import { isLost, persistently, type JobClient } from '../job-client.ts';
import type { Report } from '../report.ts';
import type { EgressPolicy } from '@platen/egress/policy';
import { bringTogether } from './bring-together.ts';
import { carry } from './carry.ts';
import { compare, type Plan, type Sending } from './compare.ts';
import { eachOf } from './each-of.ts';
import { keepJournal } from './keep-journal.ts';
import { listBundle } from './list-bundle.ts';
import { readRecords, writeManifest, type Held, type Records } from './records.ts';
import { requireHeld } from './require-held.ts';
import { countBytes, tellEnd, tellPlan } from './tell.ts';

export interface Publishing {
  readonly client: JobClient;
  readonly job: ClaimedJob;
  readonly report: Report;
  readonly signal: AbortSignal;
  readonly egressPolicy: EgressPolicy;
  readonly publishFolder: string | undefined;
}

/** What a job of this kind reports in the end. */
export interface Published {
  /** Of the bundle. */
  readonly files: number;
  readonly uploaded: number;
  readonly unchanged: number;
  readonly removed: number;
  /** That were sent. */
  readonly bytes: number;
  /** Where they lie, without what opens it. */
  readonly address: string;
}

/** The drafts of so many entries wait for each other; one that is not in this number is among the others. */
const mostEntries = 64;
/** With them those of so many files that replace others; of more each is switched to when it is there. */
const mostReplacing = 10_000;

/**
 * Carries the bundle of a job to its destination: what is new, then at once what has changed and the entries, then the note
 * of what lies there; at last what belongs to no bundle any more goes. Broken off at any moment, it leaves what was there
 * before working, unless too much has changed under its old names to be brought first.
 * @throws JobFailure
 */
export async function publish(run: Publishing): Promise<Published> {
  const { client, job, report, signal, egressPolicy, publishFolder } = run;
  const params = { jobId: job.jobId };
  const told = await persistently(signal, () => client.getRunnerJobTarget({ params, signal }));
  const { target, numThreads: atOnce, gzip } = told;
  const warnings = countWarnings();
  const onUnknownHost = (fingerprint: string) => {
    if (warnings.list().length > 0) return; // a second connection
    const advice = `Anybody in between could be it. If it is the server's own, enter it in the credentials.`;
    const message = `Nothing says whether the server is the right one: its host key is ${fingerprint}. ${advice}`;
    warnings.add('unknownHostKey', message);
    report.warnings(warnings.list());
  };
  const opening = { egressPolicy, publishFolder, signal, atOnce, onUnknownHost };
  const destination = await openDestination(target, opening);
  try {
    return await bring(run, { destination, atOnce, gzip });
  } finally {
    await destination.close().catch(() => {}); // all that was asked of it has been answered
  }
}

interface Means {
  readonly destination: Destination;
  readonly atOnce: number;
  readonly gzip: boolean;
}

async function bring(run: Publishing, means: Means): Promise<Published> {
  const { client, job, signal, report } = run;
  const { destination } = means;
  const records = await readRecords(destination);
  const files = await listBundle({ client, jobId: job.jobId, signal });
  const progress = (done: number, total: number) =>
    report.progress({ phase: 'compare', done, total, unit: 'files' });
  const plan = await compare({ files, records, ...means, signal, progress });
  const { address } = destination;
  tellPlan(report, { files, records, plan, address });
  const bytes = countBytes(plan.send, report);
  if (!hasNothingToDo(plan, records)) {
    if (records.journal.size > 0) {
      const paths = new Set(files.map(({ path }) => path));
      await destination.tidy((path) => paths.has(path));
    }
    const from = performance.now();
    await carryOut(run, means, { plan, records, onBytes: bytes.add });
    tellEnd(report, address, bytes, performance.now() - from);
  }
  const { unchanged, remove } = plan;
  const uploaded = files.length - unchanged;
  return { files: files.length, uploaded, unchanged, removed: remove.length, bytes: bytes.done(), address };
}

function hasNothingToDo({ send, remove, former, kept }: Plan, { journal, manifest }: Records): boolean {
  const changes = send.length + remove.length + former.size + journal.size;
  return changes === 0 && manifest.files.size === kept.size;
}

interface Changing {
  readonly plan: Plan;
  readonly records: Records;
  readonly onBytes: (bytes: number) => void;
}

async function carryOut(run: Publishing, means: Means, { plan, records, onBytes }: Changing): Promise<void> {
  const { client, job, report, signal } = run;
  const { destination, atOnce } = means;
  const touched = [...plan.send.map(({ part }) => part.path), ...plan.remove];
  // first of all, as from now on the manifest is no longer right
  const journal = await keepJournal(
    destination,
    new Map([...records.journal, ...touched.map((path) => [path, undefined] as const)]),
  );
  const there = new Map<string, Held>(plan.kept);
  const note = ({ part }: Sending, size: number) => {
    const held = { version: part.version, size };
    there.set(part.path, held);
    journal.note(part.path, held);
  };
  const carrying = { client, jobId: job.jobId, destination, onBytes };
  const { others, replacing, entries } = inOrder(plan.send, { destination, records });
  try {
    await eachOf(plan.inTheWay, { atOnce, signal }, (path) => destination.remove(path));
    await eachOf(others, { atOnce, signal }, async (sending, either) => {
      note(sending, await carry(sending, { ...carrying, signal: either }));
    });
    await bringTogether({ replacing, entries }, { ...carrying, signal, atOnce, note });
    await requireHeld({ ...carrying, signal });
  } catch (error) {
    // so that the next attempt need not send all that again; one that is there already writes its own
    if (!isLost(error)) await journal.save();
    throw error;
  }
  await writeManifest(destination, { files: there, former: plan.former });
  await removeAll(plan.remove, { destination, atOnce, signal, report });
  await journal.remove();
}

interface Order {
  readonly others: readonly Sending[];
  /** Of the bundle that lies there: beside the former ones they are a mixture of both. */
  readonly replacing: readonly Sending[];
  readonly entries: readonly Sending[];
}

/** What others lead to comes before them; of too many entries the first come like everything else. */
function inOrder(
  send: readonly Sending[],
  { destination, records }: { destination: Destination; records: Records },
): Order {
  const { files, former } = records.manifest;
  const {
    entries = [],
    replacing = [],
    others = [],
  } = Object.groupBy(send, ({ file, part: { path } }) => {
    if (file.isEntry) return 'entries';
    return files.has(path) || former.has(path) ? 'replacing' : 'others';
  });
  const first = Math.max(0, entries.length - mostEntries);
  const [early, last] = [entries.slice(0, first), entries.slice(first)];
  const areTogether = destination.keepsDrafts && replacing.length <= mostReplacing;
  return areTogether
    ? { others: [...others, ...early], replacing, entries: last }
    : { others: [...others, ...replacing, ...early], replacing: [], entries: last };
}

interface Removing {
  readonly destination: Destination;
  readonly atOnce: number;
  readonly signal: AbortSignal;
  readonly report: Report;
}

async function removeAll(
  paths: readonly string[],
  { destination, report, ...several }: Removing,
): Promise<void> {
  if (paths.length === 0) return;
  let done = 0;
  const progress = () => report.progress({ phase: 'remove', done, total: paths.length, unit: 'files' });
  progress();
  await eachOf(paths, several, async (path) => {
    await destination.remove(path);
    done++;
    progress();
  });
}
