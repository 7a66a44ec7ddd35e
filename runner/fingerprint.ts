import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { pipeline } from 'node:stream/promises';
import type { ClaimedJob } from '@platen/contract/runner';
import type { JobSpec } from '@platen/processing/job-type';
import type { StagedInputs } from './stage.ts';

/**
 * Hashes everything that the outputs and scratch files of a job depend on: inputs, options, and the versions of the job
 * type and of Node.
 * @returns SHA-256, hexadecimal
 */
export async function fingerprintOf(
  { options }: ClaimedJob,
  { name, version }: JobSpec,
  { inputs, contents }: StagedInputs,
  signal: AbortSignal,
): Promise<string> {
  const known: unknown[] = [];
  for (const [index, { path, related: _related, ...input }] of inputs.entries())
    known.push([input, contents[index] ?? (await hashOf(path, signal))]);
  const all = [name, version, process.version, options, known];
  return createHash('sha256').update(JSON.stringify(all)).digest('hex');
}

async function hashOf(path: string, signal: AbortSignal): Promise<string> {
  const hash = createHash('sha256');
  await pipeline(createReadStream(path), hash, { signal });
  return hash.digest('hex');
}
