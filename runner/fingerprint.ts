import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { pipeline } from 'node:stream/promises';
import type { ClaimedJob } from '@platen/contract/runner';
import type { JobInput, JobSpec } from '@platen/processing/job-type';

/**
 * Hashes the options and the versions of the job type and of Node.
 * @returns SHA-256, hexadecimal
 */
export function recipeOf({ options }: ClaimedJob, { name, version }: JobSpec): string {
  return sha256Of([name, version, process.version, options]);
}

/**
 * Hashes everything that the outputs and scratch files of a job depend on: its recipe and its inputs.
 * @returns SHA-256, hexadecimal; undefined if the content of an input is unknown
 */
export function fingerprintOf(recipe: string, inputs: readonly JobInput[]): string | undefined {
  if (inputs.some(({ content }) => content === undefined)) return undefined;
  const files = inputs.map(({ path: _path, related: _related, contents: _contents, ...input }) => input);
  return sha256Of([recipe, files]);
}

const sha256Of = (value: unknown) => createHash('sha256').update(JSON.stringify(value)).digest('hex');

/** Adds the hash of the content to staged inputs of which it is unknown. */
export async function hashInputs(inputs: readonly JobInput[], signal: AbortSignal): Promise<JobInput[]> {
  const hashed: JobInput[] = [];
  for (const input of inputs)
    hashed.push({ ...input, content: input.content ?? (await hashOf(input.path, signal)) });
  return hashed;
}

async function hashOf(path: string, signal: AbortSignal): Promise<string> {
  const hash = createHash('sha256');
  await pipeline(createReadStream(path), hash, { signal });
  return hash.digest('hex');
}
