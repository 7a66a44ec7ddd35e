import { RequestFailed } from '@platen/client/client';
import type { ClaimedInput, ClaimedJob, FormerFile } from '@platen/contract/runner';
import { JobFailure, type FormerResults, type JobInput, type JobSpec } from '@platen/processing/job-type';
import { inputPathsOf } from './fetch-ranges.ts';
import { fingerprintOf, hashInputs, recipeOf } from './fingerprint.ts';
import type { JobClient } from './job-client.ts';
import { hashMembers } from './list-members.ts';
import { stage, type StageOptions } from './stage.ts';

interface PreparedInputs {
  readonly inputs: JobInput[];
  readonly recipe?: string;
  /** Undefined if nothing depends on it, or the content of an input is unknown. */
  readonly fingerprint?: string | undefined;
}

/** Stages the inputs of a job, unless it fetches them as it reads them, and finds out what they contain. */
export async function prepareInputs(
  client: JobClient,
  job: ClaimedJob,
  spec: JobSpec,
  options: StageOptions,
): Promise<PreparedInputs> {
  const readsRanges = spec.reads === 'ranges';
  const inputs = readsRanges ? inputPathsOf(job, options.folder) : await stage(client, job, options);
  if (spec.reads === 'nothing' || (spec.resumes !== true && spec.datasourceType === undefined))
    return { inputs };
  const hashed = readsRanges
    ? await addKnownContent(client, job, { inputs, signal: options.signal })
    : await hashInputs(inputs, options.signal);
  const recipe = recipeOf(job, spec);
  return { inputs: hashed, recipe, fingerprint: fingerprintOf(recipe, hashed) };
}

interface UnreadInputs {
  readonly inputs: readonly JobInput[];
  readonly signal: AbortSignal;
}

/** What the service knows about the content of inputs, without reading them. */
async function addKnownContent(
  client: JobClient,
  { jobId, inputs: claimed }: ClaimedJob,
  { inputs, signal }: UnreadInputs,
): Promise<JobInput[]> {
  const known: JobInput[] = [];
  for (const [position, input] of inputs.entries()) {
    const { kind, sha256 } = claimed[position]!;
    const index = String(position);
    const folder = kind === 'folder' ? await hashMembers({ client, jobId, index, signal }) : undefined;
    known.push({ ...input, ...folder, ...(sha256 !== undefined && { content: sha256 }) });
  }
  return known;
}

/** The inputs of a job, followed by the files of the former run: as they are numbered in requests. */
export const allInputsOf = ({ inputs, former }: ClaimedJob): ClaimedInput[] => [
  ...inputs,
  ...(former?.files ?? []),
];

/**
 * Stages what the former run has left, unless the job fetches it as it reads it.
 * @returns undefined if the job has another recipe than that run, or the datasource has been changed meanwhile
 */
export async function prepareFormer(
  client: JobClient,
  job: ClaimedJob,
  spec: JobSpec,
  { recipe, ...options }: StageOptions & { readonly recipe: string | undefined },
): Promise<FormerResults | undefined> {
  const { files = [], recipe: formerRecipe } = job.former ?? {};
  if (files.length === 0 || recipe !== formerRecipe) return undefined;
  try {
    return await placeFormer(client, job, { spec, files, options });
  } catch (error) {
    if (isGone(error)) return undefined;
    throw error;
  }
}

/** Another job or a person has replaced the data since the claim: then everything is made again. */
function isGone(error: unknown): boolean {
  if (error instanceof JobFailure) return error.code === 'inputChanged';
  return error instanceof RequestFailed && (error.status === 404 || error.status === 422);
}

interface PlaceOptions {
  readonly spec: JobSpec;
  readonly files: readonly FormerFile[];
  readonly options: StageOptions;
}

async function placeFormer(
  client: JobClient,
  job: ClaimedJob,
  { spec, files, options }: PlaceOptions,
): Promise<FormerResults> {
  const firstIndex = job.inputs.length;
  const claimed = { ...job, inputs: [...files] };
  const placed =
    spec.reads === 'ranges'
      ? inputPathsOf(claimed, options.folder, firstIndex)
      : await stage(client, claimed, { ...options, firstIndex });
  const [manifest, ...results] = placed.map(({ path, name, size }, position): FormerResult => {
    const file = { path, name, size, index: firstIndex + position };
    const { resultKey } = files[position]!;
    return resultKey === undefined ? file : Object.assign(file, { resultKey });
  });
  return { manifest: manifest!, results };
}

type FormerResult = FormerResults['results'][number];
