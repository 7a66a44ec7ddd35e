import { createHash } from 'node:crypto';
import type { InputMember } from '@platen/contract/runner';
import type { JobInput } from '@platen/processing/job-type';
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

/** What a folder input contains. */
export type FolderContent = Pick<JobInput, 'content' | 'contents'>;

/** A job gets the hash of each file if there are no more: they are sent to its process. */
const maxContents = 100_000;

/** Hashes the names and contents of files, page by page. SHA-256, hexadecimal. */
export function createMemberHash(): { add(members: readonly InputMember[]): void; end(): FolderContent } {
  const hash = createHash('sha256');
  const contents: Record<string, string> = Object.create(null) as Record<string, string>;
  let count = 0;
  return {
    add(members) {
      for (const { name, sha256 } of members) {
        hash.update(JSON.stringify([name, sha256]));
        if (++count <= maxContents) contents[name] = sha256;
      }
    },
    end: () => ({ content: hash.digest('hex'), ...(count <= maxContents && { contents }) }),
  };
}

export async function hashMembers(folder: FolderInput): Promise<FolderContent> {
  const hash = createMemberHash();
  for await (const members of listMembers(folder)) hash.add(members);
  return hash.end();
}
