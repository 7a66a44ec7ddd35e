import type { JobFile } from '@platen/contract/job-files';
import type { Context } from '../../base/context.ts';
import { notFound } from '../../base/failure.ts';
import { getJob } from '../operations.ts';
import type { Sendable } from '../../files/objects/download.ts';
import { findJobFile, findJobFiles, type StoredJobFile } from './store.ts';

interface Place {
  readonly projectId: string;
  readonly jobId: string;
}

export async function listJobFiles(
  context: Context,
  { projectId, jobId }: Place,
): Promise<{ items: JobFile[] }> {
  await getJob(context, projectId, jobId);
  const files = await findJobFiles(context.db, projectId, jobId);
  return { items: files.map(({ blobId: _blobId, ...file }) => file) };
}

export async function getJobFile(context: Context, place: Place & { name: string }): Promise<Sendable> {
  const file = await findJobFile(context.db, place);
  if (!file) throw notFound('file of this job');
  return sendableOf(file);
}

export function sendableOf(file: StoredJobFile): Sendable {
  return { ...file, key: file.name, updatedAt: file.createdAt };
}
