import type { Usage } from '@platen/contract/usage';
import type { Context } from '../../base/context.ts';
import { notFound } from '../../base/failure.ts';
import { quotaExceeded } from './refusal.ts';
import { findHeld, findLimits, findStored, leftOf } from './store.ts';

/**
 * The number of bytes left in the project's quota, and a sentence for when they are exceeded; undefined without a
 * quota of bytes.
 */
export async function roomLeft(
  { db, settings }: Context,
  projectId: string,
): Promise<{ bytes: number; message: string } | undefined> {
  const limits = await findLimits(db, projectId, settings);
  if (limits?.bytes === undefined) return undefined;
  const { held } = await findHeld(db, projectId);
  const { bytes = 0 } = leftOf(limits, held);
  const { message } = quotaExceeded(limits, held, { need: { bytes: bytes + 1, objects: 0 } });
  return { bytes, message };
}

export async function summariseUsage({ db, settings }: Context, projectId: string): Promise<Usage> {
  const quota = await findLimits(db, projectId, settings);
  if (!quota) throw notFound('project');
  const [{ held, buckets: dataBuckets }, blobs] = await Promise.all([
    findHeld(db, projectId),
    findStored(db, projectId),
  ]);
  return { ...held, blobs, quota, left: leftOf(quota, held), dataBuckets };
}
