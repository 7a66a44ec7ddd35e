import { createWriteStream } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import { dirname, join, resolve, sep } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { ClaimedInput, ClaimedJob } from '@platen/contract/runner';
import type { JobInput } from '@platen/processing/job-type';
import { persistently, type JobClient } from './job-client.ts';
import { JobFailed } from './process-of-job.ts';

/** Copies the inputs of a job below the folder, where its process may read them. */
export async function stage(
  client: JobClient,
  { jobId, inputs }: ClaimedJob,
  { folder, signal }: { folder: string; signal: AbortSignal },
): Promise<JobInput[]> {
  const staged: JobInput[] = [];
  for (const [index, input] of inputs.entries()) {
    const path = inside(join(folder, String(index)), input.name);
    const source = { client, jobId, index: String(index), signal };
    if (input.kind === 'file') await fetchFile(source, { path, size: input.size });
    else await fetchFolder(source, path);
    const { layer, crs, encoding } = input;
    staged.push({
      path,
      name: input.name,
      size: input.size,
      ...(layer !== undefined && { layer }),
      ...(crs !== undefined && { crs }),
      ...(encoding !== undefined && { encoding }),
    });
  }
  return staged;
}

interface Source {
  readonly client: JobClient;
  readonly jobId: string;
  readonly index: string;
  readonly signal: AbortSignal;
}

interface Target extends Pick<ClaimedInput, 'size'> {
  readonly path: string;
  /** Of a folder: which file of it. */
  readonly member?: string;
}

async function fetchFile(
  { client, jobId, index, signal }: Source,
  { path, size, member }: Target,
): Promise<void> {
  await mkdir(dirname(path), { recursive: true });
  const query = member === undefined ? {} : { member };
  await persistently(signal, async () => {
    const response = await client.getRunnerJobInput({ params: { jobId, index }, query, signal });
    const file = createWriteStream(path);
    const body = response.body ? Readable.fromWeb(response.body as never) : Readable.from([]);
    await pipeline(body, file, { signal });
    if (file.bytesWritten !== size)
      throw new JobFailed(
        'inputChanged',
        `“${member ?? path}” was changed while it was read: run the job again.`,
      );
  });
}

async function fetchFolder(source: Source, folder: string): Promise<void> {
  const { client, jobId, index, signal } = source;
  await mkdir(folder, { recursive: true });
  let after = '';
  for (;;) {
    const query = { after };
    const { members } = await persistently(signal, () =>
      client.getRunnerJobInputMembers({ params: { jobId, index }, query, signal }),
    );
    for (const { name, size } of members)
      await fetchFile(source, { path: inside(folder, name), size, member: name });
    const last = members.at(-1);
    if (!last) return;
    after = last.name;
  }
}

/** Names come from keys, which the service checks; here they become paths, so they are looked at once more. */
function inside(folder: string, name: string): string {
  const path = resolve(folder, name);
  if (!path.startsWith(folder + sep))
    throw new JobFailed('badName', `“${name}” cannot be the name of a file.`);
  return path;
}
