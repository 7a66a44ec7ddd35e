import type { RunnerRegistration } from '@platen/contract/runner-registration';
import type { Context } from '../../base/context.ts';
import { inTransaction } from '../../base/database/transaction.ts';
import { Failure } from '../../base/failure.ts';
import type { Caller, RequestOrigin } from '../../base/caller.ts';
import { recordAudit } from '../../base/audit/record-audit.ts';
import { hashSecret, newSecret } from '../../base/secrets/bearer-secrets.ts';
import { newId } from '../../base/ids.ts';
import { releaseLost } from '../queue/maintenance.ts';
import { runnerOf } from './authorise-runner.ts';
import { enrolRunner, mayEnrol, registerRunner, stopRunner } from './enrolment-store.ts';

interface Enrolment extends RunnerRegistration {
  readonly enrolmentToken: string;
  readonly name: string;
}

/** @throws Failure `conflict` for the name of an embedded runner */
export async function enrol(
  { db, now, repeatedAudit }: Context,
  { enrolmentToken, ...runner }: Enrolment,
  origin: RequestOrigin,
): Promise<{ runnerId: string; token: string }> {
  const caller = { userId: '', ...origin };
  const detail = { name: runner.name, labels: runner.labels };
  if (!(await mayEnrol(db, hashSecret(enrolmentToken), now()))) {
    await repeatedAudit.record({ now: now(), caller, action: 'runner.refuse', targetId: '', detail });
    throw new Failure('unauthenticated', 'The enrolment token is not valid or has expired.');
  }
  const token = newSecret();
  const row = { ...runner, id: newId(now()), tokenHash: hashSecret(token), isEmbedded: false, now: now() };
  return inTransaction(db, async (tx) => {
    const runnerId = await enrolRunner(tx, row);
    if (runnerId === undefined)
      throw new Failure(
        'conflict',
        `“${runner.name}” is the name of an embedded runner. Choose another name.`,
      );
    await recordAudit(tx, { now: now(), caller, action: 'runner.enrol', targetId: runnerId, detail });
    return { runnerId, token };
  });
}

export async function register(
  { db, now }: Context,
  caller: Caller,
  body: RunnerRegistration,
): Promise<{ runnerId: string; name: string }> {
  const { runnerId, username: name } = runnerOf(caller);
  await registerRunner(db, { ...body, runnerId, now: now() });
  return { runnerId, name };
}

export async function deregister(context: Context, caller: Caller): Promise<void> {
  const { runnerId } = runnerOf(caller);
  await stopRunner(context.db, runnerId, context.now());
  await releaseLost(context, runnerId);
}
