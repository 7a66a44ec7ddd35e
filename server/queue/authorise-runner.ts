import type { Db } from '../database/database.ts';
import { Failure } from '../failure.ts';
import type { Credential } from '../iam/authorise.ts';
import type { Caller } from '../iam/caller.ts';

export async function authoriseRunner(
  _db: Db,
  _access: 'runner' | 'job',
  _params: Readonly<Record<string, string>>,
  _credential: Credential,
): Promise<Caller> {
  throw new Failure('unauthenticated', 'This is no token of a runner.');
}
