import type { JobLimits } from '../job-type.ts';

/** A part of a job's memory, by weight among the parts. */
export interface MemoryShare {
  readonly weight: number;
  /** Every worker has one. */
  readonly isPerWorker?: boolean;
  /** Without less than this, work would take too long: it is granted even if the budget is too small for it. */
  readonly minBytes?: number;
  /** More would not make the work faster. */
  readonly maxBytes?: number;
}

export interface MemoryRequest<Name extends string> {
  /** See `memoryBudget`. */
  readonly budgetBytes: number;
  /** Maximum number of workers. */
  readonly workers: number;
  readonly shares: Readonly<Record<Name, MemoryShare>>;
}

export interface MemoryPlan<Name extends string> {
  readonly budgetBytes: number;
  /** As many as the budget allows, at least one. */
  readonly workers: number;
  /** Bytes by share; of one worker if the share is per worker. */
  readonly bytes: Readonly<Record<Name, number>>;
}

/** The process and its main thread, with their code and without data. */
const processBytes = 104 * 2 ** 20;
/** A worker with its code and without data. */
const workerBytes = 56 * 2 ** 20;
/** The share of the budget that processes and threads may take before there are fewer workers. */
const maxShareOfThreads = 0.6;
const minShareOfData = 0.25;
/** The rest is for garbage that has not been collected yet, and for what no plan foresees. */
const plannedShareOfLimit = 0.8;

/** The bytes that a job may plan with: what its options ask for, as far as the runner allows them. */
export function memoryBudget(requestedMegabytes: number, limits: JobLimits | undefined): number {
  const allowed = limits === undefined ? Infinity : limits.memoryMegabytes * plannedShareOfLimit;
  return Math.floor(Math.min(requestedMegabytes, allowed) * 2 ** 20);
}

/** The bytes of a budget that are for data, in a job without workers. */
export function dataBytes(budgetBytes: number): number {
  return Math.floor(Math.max(budgetBytes * minShareOfData, budgetBytes - processBytes));
}

/** A feature is in memory several times: in its file's encoding, as coordinates, and as it is written. */
const maxFeatureShare = 1 / 8;

/** The largest feature that a job can handle, by its bytes in the file. */
export function maxFeatureBytesOf(budgetBytes: number): number {
  return Math.floor(dataBytes(budgetBytes) * maxFeatureShare);
}

/**
 * Divides a budget among workers and the parts of their work. A small budget gives small shares and never fails: what
 * does not fit into them goes to scratch files.
 */
export function planMemory<Name extends string>({
  budgetBytes,
  workers,
  shares,
}: MemoryRequest<Name>): MemoryPlan<Name> {
  const forWorkers = budgetBytes * maxShareOfThreads - processBytes;
  const used = Math.max(1, Math.min(workers, Math.floor(forWorkers / workerBytes)));
  const forData = Math.max(budgetBytes * minShareOfData, budgetBytes - processBytes - used * workerBytes);
  const all = Object.entries<MemoryShare>(shares);
  const total = all.reduce((sum, [, { weight }]) => sum + weight, 0);
  const bytes = all.map(([name, { weight, isPerWorker, minBytes = 0, maxBytes = Infinity }]) => {
    const own = (forData * weight) / total / (isPerWorker === true ? used : 1);
    return [name, Math.floor(Math.min(maxBytes, Math.max(minBytes, own)))];
  });
  return { budgetBytes, workers: used, bytes: Object.fromEntries(bytes) as Record<Name, number> };
}
