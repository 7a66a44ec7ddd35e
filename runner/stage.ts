import { chmod, chown, link, lstat, mkdir, open, rm } from 'node:fs/promises';
import { basename, dirname, join, resolve, sep } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { ClaimedInput, ClaimedJob } from '@platen/contract/runner';
import { JobFailure, type JobInput } from '@platen/processing/job-type';
import { forEachParallel } from './for-each-parallel.ts';
import { withRetry, type JobClient } from './job-client.ts';
import { fetchInput } from './fetch-input.ts';
import { createMemberHash, listMembers, type FolderContent } from './list-members.ts';
import type { EgressPolicy } from '@platen/egress/policy';

type StagedInput = Pick<JobInput, 'path' | 'name' | 'size' | 'content' | 'contents'>;

const reportEveryMs = 250;
/** Members of a folder that are linked or copied at once. */
const maxConcurrent = 16;

export interface StageOptions {
  readonly folder: string;
  /** True if the runner shares the disk of the service. */
  readonly isEmbedded: boolean;
  /** The group of the process of the job; undefined: it has our user. */
  readonly inputGroup?: number | undefined;
  readonly egressPolicy: EgressPolicy;
  readonly signal: AbortSignal;
  /**
   * Progress in bytes: `stage` for inputs of the service, `fetch` for inputs of other servers. A total of 0 is
   * unknown.
   */
  readonly onProgress: (phase: 'stage' | 'fetch', done: number, total: number) => void;
  /** Index of the first input; 0 by default. */
  readonly firstIndex?: number;
}

/**
 * Links or copies the inputs of a job to its folder.
 * @throws JobFailure if another attempt would fail as well
 */
export async function stage(
  client: JobClient,
  { jobId, inputs, fetchLimit }: ClaimedJob,
  { folder, isEmbedded, inputGroup, egressPolicy, signal, onProgress, firstIndex = 0 }: StageOptions,
): Promise<JobInput[]> {
  const staged: JobInput[] = [];
  const quota = fetchLimit && { ...fetchLimit };
  const onBytes = countBytes(inputs, onProgress);
  const fetched = countFetched(inputs, onProgress);
  const makeFolder = makeFoldersOnce();
  for (const [position, input] of inputs.entries()) {
    const index = firstIndex + position;
    const own = join(folder, String(index));
    const source = {
      client,
      jobId,
      index: String(index),
      isEmbedded,
      inputGroup,
      signal,
      onBytes,
      makeFolder,
    };
    const file: StagedInput =
      input.kind === 'external'
        ? await fetchInput(input.url!, {
            folder: own,
            policy: egressPolicy,
            signal,
            onProgress: fetched.report,
            ...(quota && { quota }),
          })
        : await stageInput(source, input, pathOfInput(folder, index, input));
    if (input.kind === 'external') fetched.end(file.size);
    if (quota && input.kind === 'external') quota.bytes -= file.size;
    const { layer, crs, encoding } = input;
    staged.push({
      ...file,
      ...(layer !== undefined && { layer }),
      ...(crs !== undefined && { crs }),
      ...(encoding !== undefined && { encoding }),
    });
  }
  return staged;
}

type Inputs = readonly ClaimedInput[];

/** Sums up the staged bytes. */
function countBytes(inputs: Inputs, onProgress: StageOptions['onProgress']): Source['onBytes'] {
  const brought = inputs.filter(({ kind }) => kind !== 'external');
  const total = brought.reduce((sum, { size }) => sum + size, 0);
  let done = 0;
  return (bytes) => onProgress('stage', (done += bytes), total);
}

/** Sums up the fetched bytes. The total is unknown until the last server has responded. */
function countFetched(inputs: Inputs, onProgress: StageOptions['onProgress']) {
  let left = inputs.filter(({ kind }) => kind === 'external').length;
  let before = 0;
  return {
    report: (done: number, total: number | undefined) =>
      onProgress('fetch', before + done, left === 1 && total !== undefined ? before + total : 0),
    end(size: number) {
      left--;
      before += size;
    },
  };
}

/** The path of an input from a bucket. */
export function pathOfInput(folder: string, index: number, { name }: ClaimedInput): string {
  return pathInside(join(folder, String(index)), name);
}

async function stageInput(
  source: Source,
  { kind, name, size, sha256 }: ClaimedInput,
  path: string,
): Promise<StagedInput> {
  if (kind === 'folder') return { path, name, size, ...(await stageFolder(source, path)) };
  await stageFile(source, { path, size, sha256 });
  return { path, name, size, ...(sha256 !== undefined && { content: sha256 }) };
}

interface Source {
  readonly client: JobClient;
  readonly jobId: string;
  readonly index: string;
  readonly isEmbedded: boolean;
  /** The group of the process of the job; undefined: it has our user. */
  readonly inputGroup?: number | undefined;
  readonly signal: AbortSignal;
  /** Called with the bytes added; negative if a copy restarts. */
  readonly onBytes: (bytes: number) => void;
  /** Makes a folder with its parents, once. */
  readonly makeFolder: (path: string) => Promise<unknown>;
}

interface Target extends Pick<ClaimedInput, 'size'> {
  readonly sha256: string | undefined;
  readonly path: string;
  /** The file's name within a folder input. */
  readonly member?: string;
  /** The path of a member on a shared disk. */
  readonly from?: string | undefined;
}

async function stageFile(source: Source, target: Target): Promise<void> {
  await linkOrCopy(source, target).catch((error: unknown) => throwDiskFailure(error, target));
}

/** Links the file if the disk is shared, otherwise copies it. */
async function linkOrCopy(source: Source, target: Target): Promise<void> {
  const { path, size } = target;
  await source.makeFolder(dirname(path));
  const from = source.isEmbedded ? await locate(source, target) : undefined;
  if (from !== undefined && (await linkFile(from, path, source.inputGroup))) source.onBytes(size);
  else await copyFile(source, target);
}

/** The listing of a folder has named the paths of its members. */
async function locate({ client, jobId, index, signal }: Source, target: Target): Promise<string | undefined> {
  const { sha256, member, from } = target;
  if (member !== undefined) return from;
  const { file } = await withRetry(signal, () =>
    client.getRunnerJobInputPlace({ params: { jobId, index }, query: {}, signal }),
  );
  if (file && sha256 !== undefined && file.sha256 !== sha256) throw changed(target);
  return file?.path;
}

async function copyFile({ client, jobId, index, signal, onBytes }: Source, target: Target): Promise<void> {
  const { path, size, sha256, member } = target;
  const query = { ...(sha256 !== undefined && { sha256 }), ...(member !== undefined && { member }) };
  let reported = 0;
  const report = (done: number) => {
    onBytes(done - reported);
    reported = done;
  };
  await withRetry(signal, async () => {
    const response = await client.getRunnerJobInput({ params: { jobId, index }, query, signal });
    // never overwrites: on a case-insensitive disk the path may be a link to bytes of the service
    const file = (await open(path, 'wx')).createWriteStream();
    const body = response.body ? Readable.fromWeb(response.body as never) : Readable.from([]);
    const timer = setInterval(() => report(file.bytesWritten), reportEveryMs);
    await pipeline(body, file, { signal })
      .catch(async (error: unknown) => {
        await rm(path, { force: true });
        throw error;
      })
      .finally(() => clearInterval(timer));
    if (file.bytesWritten !== size) throw changed(target);
  });
  report(size);
}

/** Keys that are distinct in a bucket may conflict as files of a disk. */
function throwDiskFailure(error: unknown, { member, path }: Target): never {
  const { code } = error as NodeJS.ErrnoException;
  const name = member ?? basename(path);
  if (code === 'ENOSPC')
    throw new JobFailure('scratchFull', `The disk of the runner is too small for “${name}”.`);
  if (code === 'EEXIST' || code === 'ENOTDIR' || code === 'EISDIR')
    throw new JobFailure(
      'badName',
      `“${name}”: a part of this path is both a file and a folder, or two names differ only by case, which the disk of the runner cannot store. Rename one of them.`,
    );
  throw error;
}

function changed({ member, path }: Target): JobFailure {
  return new JobFailure(
    'inputChanged',
    `“${member ?? basename(path)}” was changed while the job was reading it. Run the job again.`,
  );
}

async function stageFolder(source: Source, folder: string): Promise<FolderContent> {
  const { client, jobId, index, signal } = source;
  await mkdir(folder, { recursive: true });
  const hash = createMemberHash();
  for await (const members of listMembers({ client, jobId, index, signal })) {
    await forEachParallel(members, { atOnce: maxConcurrent, signal }, (member, either) => {
      const { name, size, sha256, path: from } = member;
      const target = { path: pathInside(folder, name), size, sha256, member: name, from };
      return stageFile({ ...source, signal: either }, target);
    });
    hash.add(members);
  }
  return hash.end();
}

function makeFoldersOnce(): Source['makeFolder'] {
  const made = new Map<string, Promise<unknown>>();
  return (path) => {
    let folder = made.get(path);
    if (!folder) made.set(path, (folder = mkdir(path, { recursive: true })));
    return folder;
  };
}

/** Checks that a name stays inside the folder. The service checks keys as well, but here they become paths. */
export function pathInside(folder: string, name: string): string {
  const path = resolve(folder, name);
  if (!path.startsWith(folder + sep)) throw new JobFailure('badName', `“${name}” is not a valid file name.`);
  return path;
}

/**
 * Hard-links bytes of the service into the folder of a job instead of copying them. They stay if the service removes
 * its own name, and the job's process may not write to them.
 * @param group the group of the job, which must be able to read them; nobody else can enter the folders that hold them
 * @returns false if linking is impossible: another disk, a file system without links, or bytes just removed
 */
export async function linkFile(from: string, to: string, group: number | undefined): Promise<boolean> {
  try {
    await link(from, to);
  } catch {
    return false;
  }
  try {
    if (group !== undefined) await allowReading(to, group);
    return true;
  } catch {
    await rm(to);
    return false;
  }
}

/** Changes the file when it becomes an input for the first time. */
async function allowReading(path: string, group: number): Promise<void> {
  const { mode, uid, gid } = await lstat(path);
  if ((mode & 0o004) !== 0 || (gid === group && (mode & 0o040) !== 0)) return;
  await chown(path, uid, group);
  await chmod(path, (mode & 0o777) | 0o040);
}
