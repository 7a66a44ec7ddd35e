import type { Readable } from 'node:stream';
import type { Context } from '../context.ts';
import { Failure, invalidAt, notFound } from '../failure.ts';
import type { Caller } from '../iam/caller.ts';
import { newId } from '../ids.ts';
import { inputsOfJob } from '../job-types/job-inputs.ts';
import { findInput, type FoundInput } from '../job-types/references.ts';
import { contentTypeOf } from '../objects/content-type.ts';
import { keyOf, usableKey } from '../objects/key.ts';
import { findFilesAfter, findObject } from '../objects/store.ts';
import { addOutput } from './add-output.ts';
import { fenceOf } from './authorise-runner.ts';
import { lockHeld } from './lock-held.ts';
import { lost } from './operations.ts';

const membersAtOnce = 1000;

interface Opened {
  readonly stream: Readable;
  /** In bytes. */
  readonly size: number;
}

/** The bytes of an input file, or of one member of a folder. */
export async function openInput(
  context: Context,
  caller: Caller,
  { index, member }: { index: string; member: string | undefined },
): Promise<Opened> {
  const input = await inputOf(context, caller, index);
  const { blobId, size } = await fileOf(context, input, member);
  const stream = await context.store.stream(blobId);
  if (!stream) throw new Failure('unusable_reference', `The bytes of “${input.name}” have just gone.`);
  return { stream, size };
}

/** Up to 1000 files of a folder, by their names relative to it. */
export async function listMembers(
  context: Context,
  caller: Caller,
  { index, after }: { index: string; after: string },
): Promise<{ members: { name: string; size: number }[] }> {
  const { file, bucketId, key } = await inputOf(context, caller, index);
  if (file) throw invalidAt('index', 'This input is a file, not a folder.');
  const page = { prefix: key, after: key + after, limit: membersAtOnce };
  const files = await findFilesAfter(context.db, bucketId, page);
  return { members: files.map((one) => ({ name: one.key.slice(key.length), size: one.size })) };
}

/** Asked for at every file of a folder: so the other inputs, and what the folder holds, are not looked at. */
async function inputOf({ db }: Context, caller: Caller, index: string): Promise<FoundInput> {
  const { jobId } = fenceOf(caller);
  const job = await db
    .selectFrom('job')
    .select(['project_id', 'task_id', 'job_type', 'parameters'])
    .where('id', '=', jobId)
    .executeTakeFirst();
  if (!job) throw lost();
  const inputs = inputsOfJob(job);
  const source = /^\d{1,4}$/.test(index) ? inputs[Number(index)] : undefined;
  if (!source) throw notFound('input of this job');
  return findInput({ db, projectId: job.project_id }, source);
}

async function fileOf(
  { db }: Context,
  { file, bucketId, key }: FoundInput,
  member: string | undefined,
): Promise<{ blobId: string; size: number }> {
  if (file) {
    if (member !== undefined) throw invalidAt('member', 'This input is a file, not a folder.');
    return file;
  }
  const memberKey = member === undefined ? undefined : usableKey(key + member);
  if (memberKey === undefined) throw invalidAt('member', 'Name a member of this folder.');
  const found = await findObject(db, bucketId, memberKey);
  if (!found) throw notFound('member of this input');
  return found;
}

/** Bytes first, then the row; a blob whose row was not written is for the sweeper. */
export async function takeOutput(
  context: Context,
  caller: Caller,
  { key: raw, body, signal }: { key: string; body: AsyncIterable<Uint8Array>; signal: AbortSignal },
): Promise<{ size: number; sha256: string }> {
  const { db, store, now } = context;
  const fence = fenceOf(caller);
  const key = keyOf(raw, 'key');
  if (!(await lockHeld(db, fence))) throw lost();
  const blobId = newId(now());
  const { size, sha256 } = await store.put(blobId, body, { signal });
  const output = { key, blobId, size, sha256, contentType: contentTypeOf(key), now: now() };
  if (await addOutput(db, fence, output)) return { size, sha256 };
  await store.remove(blobId);
  throw lost();
}
