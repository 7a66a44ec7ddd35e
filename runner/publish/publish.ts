import type { ClaimedJob } from '@platen/contract/runner';
import { createWarningCounter } from '../warning-counter.ts';
import type { Destination } from '../destinations/destination.ts';
import { openDestination } from '../destinations/open.ts';
import { isLeaseLost, withRetry, type JobClient, requireLease } from '../job-client.ts';
import type { Report } from '../report.ts';
import type { EgressPolicy } from '@platen/egress/policy';
import { commit } from './commit.ts';
import { uploadFile } from './upload-file.ts';
import { compare, type Plan, type FileUpload } from './compare.ts';
import { forEachParallel } from '../for-each-parallel.ts';
import { keepJournal } from './keep-journal.ts';
import { listBundle } from './list-bundle.ts';
import { readRecords, writeManifest, type Held, type Records } from './records.ts';
import { countBytes, reportEnd, reportPlan } from './report-publishing.ts';

export interface PublishOptions {
  readonly client: JobClient;
  readonly job: ClaimedJob;
  readonly report: Report;
  readonly signal: AbortSignal;
  readonly egressPolicy: EgressPolicy;
  readonly publishFolder: string | undefined;
}

/** The report of a publishing job. */
export interface PublishReport {
  /** Number of files in the bundle. */
  readonly files: number;
  readonly uploaded: number;
  readonly unchanged: number;
  readonly removed: number;
  /** Paths of the files uploaded and removed at the destination, the first hundred of each. */
  readonly uploadedFiles: readonly string[];
  readonly removedFiles: readonly string[];
  /** Bytes sent. */
  readonly bytes: number;
  /** Address of the destination, without credentials. */
  readonly address: string;
  /** Its path, if it is a folder of the server that runs Platen. */
  readonly folder?: string;
}

const maxListedFiles = 100;

/** Maximum number of entry pages that are switched together; further ones are treated as other files. */
const maxEntries = 64;
/**
 * Maximum number of replaced files that are switched together with them; above that, each is switched when uploaded.
 */
const maxReplacing = 10_000;

/**
 * Publishes the bundle of a job: uploads new files, then switches changed files and entry pages together, then writes
 * the manifest, and removes files of no bundle last. If interrupted at any point, the previous state keeps working,
 * unless too many files were replaced to switch them together.
 * @throws JobFailure
 */
export async function publish(run: PublishOptions): Promise<PublishReport> {
  const { client, job, report, signal, egressPolicy, publishFolder } = run;
  const params = { jobId: job.jobId };
  const assignment = await withRetry(signal, () => client.getRunnerJobTarget({ params, signal }));
  const { target, numThreads: atOnce, gzip } = assignment;
  const warnings = createWarningCounter();
  const onUnknownHost = (fingerprint: string) => {
    if (warnings.list().length > 0) return; // a second connection
    const advice = `If this is the host key of the server, enter it in the credentials; otherwise another machine may be impersonating the server.`;
    const message = `The server was not verified, as the credentials name no host key. Its host key is ${fingerprint}. ${advice}`;
    warnings.add('unknownHostKey', message);
    report.warnings(warnings.list());
  };
  const opening = { egressPolicy, publishFolder, signal, atOnce, onUnknownHost };
  const destination = await openDestination(target, opening);
  try {
    return await uploadBundle(run, { destination, atOnce, gzip });
  } finally {
    await destination.close().catch(() => {}); // every request has been answered
  }
}

interface PublishContext {
  readonly destination: Destination;
  readonly atOnce: number;
  readonly gzip: boolean;
}

async function uploadBundle(run: PublishOptions, means: PublishContext): Promise<PublishReport> {
  const { client, job, signal, report } = run;
  const { destination } = means;
  const records = await readRecords(destination);
  const files = await listBundle({ client, jobId: job.jobId, signal });
  const progress = (done: number, total: number) =>
    report.progress({ phase: 'compare', done, total, unit: 'files' });
  const plan = await compare({ files, records, ...means, signal, progress });
  const { address } = destination;
  reportPlan(report, { files, records, plan, address });
  const bytes = countBytes(plan.send, report);
  if (!hasNothingToDo(plan, records)) {
    if (records.journal.size > 0) {
      const paths = new Set(files.map(({ path }) => path));
      await destination.tidy((path) => paths.has(path));
    }
    const from = performance.now();
    await applyPlan(run, means, { plan, records, onBytes: bytes.add });
    reportEnd(report, address, bytes, performance.now() - from);
  }
  const { unchanged, remove } = plan;
  const uploaded = files.length - unchanged;
  const uploadedFiles = [...new Set(plan.send.map(({ file }) => file.path))];
  return {
    files: files.length,
    uploaded,
    unchanged,
    removed: remove.length,
    uploadedFiles: uploadedFiles.slice(0, maxListedFiles),
    removedFiles: remove.slice(0, maxListedFiles),
    bytes: bytes.done(),
    address,
    ...(destination.folder !== undefined && { folder: destination.folder }),
  };
}

function hasNothingToDo({ send, remove, former, kept }: Plan, { journal, manifest }: Records): boolean {
  const changes = send.length + remove.length + former.size + journal.size;
  return changes === 0 && manifest.files.size === kept.size;
}

interface ChangeOptions {
  readonly plan: Plan;
  readonly records: Records;
  readonly onBytes: (bytes: number) => void;
}

async function applyPlan(
  run: PublishOptions,
  means: PublishContext,
  { plan, records, onBytes }: ChangeOptions,
): Promise<void> {
  const { client, job, report, signal } = run;
  const { destination, atOnce } = means;
  const touched = [...plan.send.map(({ part }) => part.path), ...plan.remove];
  // first, as the manifest is outdated from here on
  const journal = await keepJournal(
    destination,
    new Map([...records.journal, ...touched.map((path) => [path, undefined] as const)]),
  );
  const there = new Map<string, Held>(plan.kept);
  const note = ({ part }: FileUpload, size: number) => {
    const held = { version: part.version, size };
    there.set(part.path, held);
    journal.note(part.path, held);
  };
  const carrying = { client, jobId: job.jobId, destination, onBytes };
  const { others, replacing, entries } = inOrder(plan.send, { destination, records });
  try {
    await forEachParallel(plan.inTheWay, { atOnce, signal }, (path) => destination.remove(path));
    await forEachParallel(others, { atOnce, signal }, async (sending, either) => {
      note(sending, await uploadFile(sending, { ...carrying, signal: either }));
    });
    await commit({ replacing, entries }, { ...carrying, signal, atOnce, note });
    await requireLease({ ...carrying, signal });
  } catch (error) {
    // saves the progress for the next attempt; one that already runs writes its own journal
    if (!isLeaseLost(error)) await journal.save();
    throw error;
  }
  await writeManifest(destination, { files: there, former: plan.former });
  await removeAll(plan.remove, { destination, atOnce, signal, report });
  await journal.remove();
}

interface Order {
  readonly others: readonly FileUpload[];
  /** Files of the published bundle: until all are switched, visitors see old and new ones. */
  readonly replacing: readonly FileUpload[];
  readonly entries: readonly FileUpload[];
}

/** Orders files before those that refer to them. Entries above the limit are treated as other files. */
function inOrder(
  send: readonly FileUpload[],
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
  const first = Math.max(0, entries.length - maxEntries);
  const [early, last] = [entries.slice(0, first), entries.slice(first)];
  const areTogether = destination.keepsDrafts && replacing.length <= maxReplacing;
  return areTogether
    ? { others: [...others, ...early], replacing, entries: last }
    : { others: [...others, ...replacing, ...early], replacing: [], entries: last };
}

interface RemoveOptions {
  readonly destination: Destination;
  readonly atOnce: number;
  readonly signal: AbortSignal;
  readonly report: Report;
}

async function removeAll(
  paths: readonly string[],
  { destination, report, ...several }: RemoveOptions,
): Promise<void> {
  if (paths.length === 0) return;
  let done = 0;
  const progress = () => report.progress({ phase: 'remove', done, total: paths.length, unit: 'files' });
  progress();
  await forEachParallel(paths, several, async (path) => {
    await destination.remove(path);
    done++;
    progress();
  });
}
