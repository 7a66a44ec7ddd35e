import type {
  EnrolmentToken,
  EnrolmentTokenListQuery,
  NewEnrolmentToken,
  Runner,
  RunnerListQuery,
} from '@platen/contract/runners';
import type { Deleted, Page } from '@platen/contract/schema';
import { recordAudit } from '../../base/audit/record-audit.ts';
import type { Context } from '../../base/context.ts';
import { inTransaction } from '../../base/database/transaction.ts';
import { notify } from '../../base/database/notifications.ts';
import { Failure, notFound } from '../../base/failure.ts';
import type { Caller } from '../../base/caller.ts';
import { hashSecret, newSecret } from '../../base/secrets/bearer-secrets.ts';
import { newId } from '../../base/ids.ts';
import { releaseLost } from '../queue/maintenance.ts';
import { deleteRunner, findRunner, findRunners, lockRunner } from './store.ts';
import { deleteEnrolmentToken, findEnrolmentTokens, insertEnrolmentToken } from './token-store.ts';

export function listRunners({ db, now }: Context, query: RunnerListQuery): Promise<Page<Runner>> {
  return findRunners(db, query, now());
}

export async function getRunner({ db, now }: Context, runnerId: string): Promise<Runner> {
  const runner = await findRunner(db, runnerId, now());
  if (!runner) throw notFound('runner');
  return runner;
}

/** Revokes the token of a runner and requeues its jobs. @throws Failure `conflict` for an embedded runner */
export async function removeRunner(context: Context, caller: Caller, runnerId: string): Promise<Deleted> {
  const at = context.now();
  await inTransaction(context.db, async (tx) => {
    await lockRunner(tx, runnerId);
    const runner = await findRunner(tx, runnerId, at);
    if (!runner) throw notFound('runner');
    const { name, state, isEmbedded } = runner;
    if (isEmbedded && (state === 'idle' || state === 'busy'))
      throw new Failure(
        'conflict',
        'This runner belongs to the service. Change PLATEN_RUNNERS to have fewer runners.',
      );
    await deleteRunner(tx, runnerId);
    await notify(tx, 'runnerRemoved', runnerId);
    const detail = { name, state };
    await recordAudit(tx, { now: at, caller, action: 'runner.delete', targetId: runnerId, detail });
  });
  await releaseLost(context, runnerId); // including a job claimed at the last moment
  return { numberOfDeletedItems: 1 };
}

const hourMs = 3_600_000;

export async function createEnrolmentToken(
  { db, now }: Context,
  caller: Caller,
  { name, hours }: { name: string; hours: number },
): Promise<NewEnrolmentToken> {
  const at = now();
  const token = newSecret();
  const expiresAt = new Date(at.getTime() + hours * hourMs);
  const row = { id: newId(at), hash: hashSecret(token), name, by: caller.userId, now: at, expiresAt };
  const made = await inTransaction(db, async (tx) => {
    const detail = { name, expiresAt: expiresAt.toISOString() };
    await recordAudit(tx, { now: at, caller, action: 'enrolmentToken.create', targetId: row.id, detail });
    return insertEnrolmentToken(tx, row);
  });
  return { ...made, token };
}

export function listEnrolmentTokens(
  { db, now }: Context,
  query: EnrolmentTokenListQuery,
): Promise<Page<EnrolmentToken>> {
  return findEnrolmentTokens(db, query, now());
}

export async function removeEnrolmentToken(
  { db, now }: Context,
  caller: Caller,
  tokenId: string,
): Promise<Deleted> {
  return inTransaction(db, async (tx) => {
    const removed = await deleteEnrolmentToken(tx, tokenId);
    if (!removed) throw notFound('enrolment token');
    const detail = { name: removed.name };
    await recordAudit(tx, { now: now(), caller, action: 'enrolmentToken.delete', targetId: tokenId, detail });
    return { numberOfDeletedItems: 1 };
  });
}
