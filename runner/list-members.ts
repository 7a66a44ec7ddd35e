import { createHash, type Hash } from 'node:crypto';
import type { InputMember } from '@platen/contract/runner';
import { withRetry, type JobClient } from './job-client.ts';

interface FolderInput {
  readonly client: JobClient;
  readonly jobId: string;
  /** Index of the input. */
  readonly index: string;
  readonly signal: AbortSignal;
}

/** The files of a folder input, sorted by path, page by page. */
export async function* listMembers({
  client,
  jobId,
  index,
  signal,
}: FolderInput): AsyncGenerator<InputMember[]> {
  let after = '';
  for (;;) {
    const query = { after };
    const { members } = await withRetry(signal, () =>
      client.getRunnerJobInputMembers({ params: { jobId, index }, query, signal }),
    );
    const last = members.at(-1);
    if (!last) return;
    yield members;
    after = last.name;
  }
}

/** Hashes the names and contents of files, page by page. */
export function addMembers(content: Hash, members: readonly InputMember[]): void {
  for (const { name, sha256 } of members) content.update(JSON.stringify([name, sha256]));
}

/** @returns SHA-256 of the names and contents of all files, hexadecimal */
export async function hashMembers(folder: FolderInput): Promise<string> {
  const content = createHash('sha256');
  for await (const members of listMembers(folder)) addMembers(content, members);
  return content.digest('hex');
}
