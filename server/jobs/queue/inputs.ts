import type { Readable } from 'node:stream';
import type { InputMember } from '@platen/contract/runner';
import type { Caller } from '../../base/caller.ts';
import type { Context } from '../../base/context.ts';
import type { Db } from '../../base/database/database.ts';
import { Failure, invalidAt, notFound } from '../../base/failure.ts';
import { usableKey } from '../../files/objects/key.ts';
import { type ObjectFile, findFilesAfter, findObject } from '../../files/objects/store.ts';
import { fenceOf, runnerOf } from '../runners/authorise-runner.ts';
import { checkParameters } from '../types/check-parameters.ts';
import { findFormerFile } from '../types/find-former.ts';
import { inputsOfJob } from '../types/job-inputs.ts';
import { type SourceLocation, findInput } from '../types/references.ts';
import { leaseLost } from './lease.ts';

const maxMembers = 1000;

interface InputStream {
  readonly stream: Readable;
  /** In bytes. */
  readonly size: number;
}

interface InputPath {
  readonly index: string;
  /** Path of a file in the folder, if the input is a folder. */
  readonly member?: string;
}

interface InputRange extends InputPath {
  readonly offset: number;
  /** Absent: to the end. */
  readonly length?: number;
  /** SHA-256 of the file that earlier ranges were read from. */
  readonly sha256?: string;
}

/** Opens a range of an input file, or of one file of an input folder. */
export async function openInput(
  context: Context,
  caller: Caller,
  { index, member, offset, length = Infinity, sha256 }: InputRange,
): Promise<InputStream> {
  const input = await inputOf(context, caller, index);
  const file = await fileOf(context, input, member);
  if (sha256 !== undefined && sha256 !== file?.sha256) throw inputChanged(member ?? input.name);
  if (!file) throw notFound('member of this input');
  const bytes = Math.max(0, Math.min(length, file.size - offset));
  const stream = await context.store.stream(file.blobId, {
    offset: Math.min(offset, file.size),
    length: bytes,
  });
  if (!stream) throw new Failure('unusable_reference', `The content of “${input.name}” was just deleted.`);
  return { stream, size: bytes };
}

const inputChanged = (name: string) =>
  new Failure('unusable_reference', `“${name}” was changed while it was read. Start the job again.`);

interface InputLocation {
  readonly size: number;
  readonly sha256: string;
  readonly path?: string;
}

/** The size of an input file and, for a runner on the same disk, its path. */
export async function findInputLocation(
  context: Context,
  caller: Caller,
  { index, member }: InputPath,
): Promise<{ file?: InputLocation }> {
  const input = await inputOf(context, caller, index);
  const file = await fileOf(context, input, member);
  if (!file) return {};
  const { size, sha256, blobId } = file;
  const path = (await isEmbedded(context.db, caller)) ? context.store.localPath?.(blobId) : undefined;
  return { file: { size, sha256, ...(path !== undefined && { path }) } };
}

/** Only embedded runners are known to share the disk; the paths are not revealed to others. */
async function isEmbedded(db: Db, caller: Caller): Promise<boolean> {
  const runner = await db
    .selectFrom('runner')
    .select('is_embedded')
    .where('id', '=', runnerOf(caller).runnerId)
    .executeTakeFirst();
  return runner?.is_embedded === true;
}

/** Up to 1000 files of a folder, with names relative to it and, for a runner on the same disk, their paths. */
export async function listMembers(
  context: Context,
  caller: Caller,
  { index, after }: { index: string; after: string },
): Promise<{ members: InputMember[] }> {
  const { file, bucketId, key } = await inputOf(context, caller, index);
  if (file) throw invalidAt('index', 'This input is a file, not a folder.');
  const page = { prefix: key, after: key + after, limit: maxMembers, skipsJobs: key === '' };
  const files = await findFilesAfter(context.db, bucketId, page);
  const { store } = context;
  const sharesDisk = store.localPath !== undefined && (await isEmbedded(context.db, caller));
  return {
    members: files.map(({ key: path, size, sha256, blobId }) => {
      const member: InputMember = { name: path.slice(key.length), size, sha256 };
      if (sharesDisk) member.path = store.localPath!(blobId);
      return member;
    }),
  };
}

/** Called for every file of a folder, so it resolves only this input and does not list the folder. */
async function inputOf({ db }: Context, caller: Caller, index: string): Promise<SourceLocation> {
  const { jobId } = fenceOf(caller);
  const job = await db
    .selectFrom('job')
    .select(['project_id', 'task_id', 'job_type', 'parameters'])
    .where('id', '=', jobId)
    .executeTakeFirst();
  if (!job) throw leaseLost();
  const scope = { db, projectId: job.project_id };
  const inputs = inputsOfJob(job);
  const position = /^\d{1,4}$/.test(index) ? Number(index) : -1;
  const source = inputs[position];
  if (source) return findInput(scope, source);
  // after the inputs come the files of the former run
  const parameters = job.task_id === null ? undefined : checkParameters(job.job_type, job.parameters);
  const former = parameters && (await findFormerFile(scope, parameters, position - inputs.length));
  if (!former) throw notFound('input of this job');
  return former;
}

async function fileOf(
  { db }: Context,
  { file, bucketId, key }: SourceLocation,
  member: string | undefined,
): Promise<Pick<ObjectFile, 'blobId' | 'size' | 'sha256'> | undefined> {
  if (file) {
    if (member !== undefined) throw invalidAt('member', 'This input is a file, not a folder.');
    return file;
  }
  const memberKey = member === undefined ? undefined : usableKey(key + member);
  if (memberKey === undefined) throw invalidAt('member', 'Name a file of this folder.');
  return findObject(db, bucketId, memberKey);
}
