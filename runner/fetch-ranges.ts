import { mkdir, open } from 'node:fs/promises';
import { dirname } from 'node:path';
import { RequestFailed } from '@platen/client/client';
import type { ClaimedInput, ClaimedJob, InputMember } from '@platen/contract/runner';
import type { FetchedFile, InputRange, InputRanges } from '@platen/processing/input-ranges';
import { JobFailure, type JobInput } from '@platen/processing/job-type';
import { withRetry, type JobClient } from './job-client.ts';
import { listMembers } from './list-members.ts';
import type { Log } from './log.ts';
import type { AnswerMessage, ChildMessage } from './messages.ts';
import { linkFile, pathInside, pathOfInput } from './stage.ts';

const maxRangeBytes = 8 << 20;
const maxConcurrent = 4;
const maxListed = 100_000;

interface Options {
  readonly folder: string;
  /** True if the runner shares the disk of the service. */
  readonly isEmbedded: boolean;
  /** The group of the process of the job; undefined: it has our user. */
  readonly inputGroup?: number | undefined;
  /** Maximum bytes fetched for the job in total; unlimited by default. */
  readonly maxBytes?: number | undefined;
  readonly signal: AbortSignal;
}

/** An input file that the job has opened. */
interface OpenedInput extends FetchedFile {
  /** Hash of the content when the file was opened; a later change fails the job. */
  readonly sha256: string;
}

/** The paths that inputs will have if the job fetches them on demand; no file exists yet. */
export function inputPathsOf({ inputs }: ClaimedJob, folder: string, firstIndex = 0): JobInput[] {
  return inputs.map((input, index) => {
    const { name, size, layer, crs, encoding } = input;
    return {
      path: pathOfInput(folder, firstIndex + index, input),
      name,
      size,
      ...(layer !== undefined && { layer }),
      ...(crs !== undefined && { crs }),
      ...(encoding !== undefined && { encoding }),
    };
  });
}

/**
 * Fetches the parts of inputs that the process of a job asks for: a link to the whole file if the disk is shared,
 * otherwise byte ranges into a sparse file. The process reads untrusted files, so its requests are validated.
 */
export function openInputs(client: JobClient, job: ClaimedJob, options: Options): InputRanges {
  const files = new Map<string, Promise<OpenedInput | undefined>>();
  const { maxBytes = Infinity, signal } = options;
  const runLimited = limitConcurrency(maxConcurrent);
  let bytes = 0;

  const fileOf = (input: number, member: string | undefined): Promise<OpenedInput | undefined> => {
    const key = JSON.stringify([input, member]);
    let known = files.get(key);
    if (!known) files.set(key, (known = placeFile(client, job, { input, member, ...options })));
    return known;
  };

  return {
    async fetch({ input, member, offset, length }) {
      const claimed = claimedOf(job, input, member);
      if (!claimed || !isRange(offset, length)) return undefined;
      const file = await fileOf(input, member);
      if (!file || file.isWhole) return file;
      const count = Math.min(length, maxRangeBytes, file.size - offset);
      if (count <= 0) return file;
      bytes += count;
      if (bytes > maxBytes)
        throw new JobFailure('readsTooMuch', `“${claimed.name}” is too large for this job.`);
      const source = { jobId: job.jobId, index: String(input), member, sha256: file.sha256 };
      await runLimited(() => fetchRange(client, source, { offset, length: count, path: file.path, signal }));
      const { path, size, isWhole } = file;
      return { path, size, isWhole };
    },
    async list(input, limit) {
      if (claimedOf(job, input, '')?.kind !== 'folder') return [];
      const folder = { client, jobId: job.jobId, index: String(input), signal };
      return listFirst(folder, Math.min(limit, maxListed));
    },
  };
}

const isRange = (offset: number, length: number) =>
  Number.isSafeInteger(offset) && Number.isSafeInteger(length) && offset >= 0 && length > 0;

/** Files have no members, and folders are read by member only. */
function claimedOf({ inputs }: ClaimedJob, input: unknown, member: unknown): ClaimedInput | undefined {
  const claimed = Number.isSafeInteger(input) ? inputs[input as number] : undefined;
  if (!claimed || (member !== undefined && typeof member !== 'string')) return undefined;
  return (claimed.kind === 'folder') === (member !== undefined) ? claimed : undefined;
}

interface PlaceOptions extends Options {
  readonly input: number;
  readonly member: string | undefined;
}

async function placeFile(
  client: JobClient,
  job: ClaimedJob,
  { input, member, folder, isEmbedded, inputGroup, signal }: PlaceOptions,
): Promise<OpenedInput | undefined> {
  const own = pathOfInput(folder, input, job.inputs[input]!);
  const path = member === undefined ? own : pathInside(own, member);
  const params = { jobId: job.jobId, index: String(input) };
  const query = member === undefined ? {} : { member };
  const { file } = await withRetry(signal, () =>
    client.getRunnerJobInputPlace({ params, query, signal }),
  ).catch(throwIfChanged);
  if (!file) return undefined;
  const { size, sha256 } = file;
  await mkdir(dirname(path), { recursive: true });
  if (isEmbedded && file.path !== undefined && (await linkFile(file.path, path, inputGroup)))
    return { path, size, sha256, isWhole: true };
  const handle = await open(path, 'wx', 0o644);
  try {
    await handle.truncate(size); // sparse: takes no disk space until written
  } finally {
    await handle.close();
  }
  return { path, size, sha256, isWhole: size === 0 };
}

interface Source {
  readonly jobId: string;
  readonly index: string;
  readonly member: string | undefined;
  readonly sha256: string;
}

interface Target extends Pick<InputRange, 'offset' | 'length'> {
  readonly path: string;
  readonly signal: AbortSignal;
}

async function fetchRange(
  client: JobClient,
  { jobId, index, member, sha256 }: Source,
  { path, offset, length, signal }: Target,
): Promise<void> {
  const query = { offset, length, sha256, ...(member !== undefined && { member }) };
  const bytes = await withRetry(signal, async () => {
    const response = await client.getRunnerJobInput({ params: { jobId, index }, query, signal });
    return new Uint8Array(await response.arrayBuffer());
  }).catch(throwIfChanged);
  const handle = await open(path, 'r+');
  try {
    await handle.write(bytes, 0, bytes.length, offset);
  } finally {
    await handle.close();
  }
}

/** A removed or changed input is the user's doing and fails the job. */
function throwIfChanged(error: unknown): never {
  if (error instanceof RequestFailed && error.status === 422)
    throw new JobFailure('inputChanged', error.message);
  throw error;
}

async function listFirst(
  folder: Parameters<typeof listMembers>[0],
  limit: number,
): Promise<Pick<InputMember, 'name' | 'size' | 'sha256'>[]> {
  const all: InputMember[] = [];
  try {
    for await (const members of listMembers(folder)) {
      all.push(...members);
      if (all.length >= limit) break;
    }
  } catch (error) {
    throwIfChanged(error);
  }
  return all.slice(0, limit).map(({ name, size, sha256 }) => ({ name, size, sha256 }));
}

/** Runs at most `max` tasks concurrently; the others queue. */
function limitConcurrency(max: number): <T>(work: () => Promise<T>) => Promise<T> {
  let running = 0;
  const waiting: (() => void)[] = [];
  return async (work) => {
    if (running < max) running++;
    else await new Promise<void>((takeOver) => waiting.push(takeOver));
    try {
      return await work();
    } finally {
      const next = waiting.shift();
      if (next) next();
      else running--;
    }
  };
}

type Question = ChildMessage & { readonly type: 'bring' | 'list' };

/** Answers a question of the job's process about its inputs; never throws. */
export async function answerChild(question: Question, ranges: InputRanges, log: Log): Promise<AnswerMessage> {
  const to = { type: 'answer', id: question.id } as const;
  try {
    if (question.type === 'list')
      return { ...to, members: await ranges.list(question.input, question.limit) };
    const brought = await ranges.fetch(question.range);
    return { ...to, ...(brought && { brought }) };
  } catch (error) {
    if (error instanceof JobFailure) return { ...to, failure: { code: error.code, message: error.message } };
    const { code, message } = error as NodeJS.ErrnoException;
    if (code === 'ENOSPC')
      return { ...to, failure: { code: 'scratchFull', message: 'The scratch disk of the runner is full.' } };
    log('warning', 'an input could not be fetched', { error: message });
    return {
      ...to,
      failure: { code: 'cannotTransfer', message: 'An input could not be fetched from the service.' },
    };
  }
}
