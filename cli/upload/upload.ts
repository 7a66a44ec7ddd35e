import type { Invocation } from '../command.ts';
import { CommandFailure, exitCodes } from '../failures.ts';
import { findBucket, findProject } from '../lists/find.ts';
import { sizeText } from '../printable.ts';
import { openSession } from '../session.ts';
import type { Terminal } from '../terminal.ts';
import { Bucket } from './bucket.ts';
import { listFiles, type LocalFile } from './list-files.ts';
import { uploadAll, type FileReport } from './upload-all.ts';
import { uploadFile } from './upload-file.ts';
import { UploadProgress } from './upload-progress.ts';

const defaultParallel = 3;
const maxParallel = 16;

export async function upload(invocation: Invocation): Promise<number> {
  const { args, option, terminal } = invocation;
  const onSkip = (path: string, reason: string) => terminal.note(`Skipped ${path}: ${reason}.`);
  const files = await listFiles(args, prefixOf(option('prefix') ?? ''), onSkip);
  const bucket = await bucketOf(invocation);
  const reports: FileReport[] = [];
  const summarise = () => {
    reports.sort((a, b) => (a.key < b.key ? -1 : 1));
    terminal.json({ ...bucket.path, files: reports });
    terminal.line(summaryOf(reports));
  };
  try {
    await send(invocation, bucket, files, reports);
  } catch (error) {
    if (reports.length > 0) summarise();
    if (!terminal.signal.aborted) throw error;
    throw new CommandFailure('interrupted', 'Interrupted. Run the same command again to continue.');
  }
  summarise();
  return reports.some(({ error }) => error !== undefined) ? exitCodes.failed : exitCodes.ok;
}

async function bucketOf(invocation: Invocation): Promise<Bucket> {
  const session = await openSession(invocation);
  const { _id: projectId, defaultDataBucketId } = await findProject(session, invocation);
  const named = invocation.option('bucket');
  const dataBucketId =
    named === undefined ? defaultDataBucketId : (await findBucket(session.api, projectId, named))._id;
  return new Bucket(session, { projectId, dataBucketId });
}

async function send(
  { flag, option, terminal }: Invocation,
  bucket: Bucket,
  files: readonly LocalFile[],
  reports: FileReport[],
): Promise<void> {
  const ifExists = flag('overwrite') ? 'overwrite' : flag('skip-existing') ? 'skip' : 'refuse';
  const unfinished = await bucket.unfinished();
  const progress = new UploadProgress(terminal, files);
  await uploadAll(files, {
    parallel: Math.min(maxParallel, Number(option('parallel') ?? defaultParallel)),
    signal: terminal.signal,
    upload: (file, signal) =>
      uploadFile(bucket, file, { ifExists, unfinished, signal, ...progress.of(file) }),
    onReport: (report) => {
      progress.end(report);
      reports.push(report);
      print(terminal, report);
    },
  });
}

function prefixOf(text: string): string {
  const prefix = text.replace(/^\/+/, '');
  return prefix === '' || prefix.endsWith('/') ? prefix : `${prefix}/`;
}

function print(
  terminal: Terminal,
  { path, key, size, result = 'uploaded', resumedFrom = 0, error }: FileReport,
): void {
  const resumed = resumedFrom > 0 ? `, continued at ${sizeText(resumedFrom)}` : '';
  if (error === undefined) terminal.line(`${result.padEnd(9)}  ${key} (${sizeText(size)}${resumed})`);
  else terminal.error(`${path}: ${error}`);
}

function summaryOf(reports: readonly FileReport[]): string {
  const of = (result: FileReport['result']) => reports.filter((report) => report.result === result);
  const uploaded = of('uploaded');
  const bytes = uploaded.reduce((sum, { size, resumedFrom = 0 }) => sum + size - resumedFrom, 0);
  return [
    `${uploaded.length} uploaded (${sizeText(bytes)})`,
    `${of('unchanged').length} unchanged`,
    `${of('skipped').length} skipped`,
    `${of(undefined).length} failed`,
  ].join(', ');
}
