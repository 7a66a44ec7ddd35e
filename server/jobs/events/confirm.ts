import type { Permission } from '@platen/contract/permission';
import type { Context } from '../../base/context.ts';
import { currentPermissions, type TokenInProject } from '../../identity/iam/current-permissions.ts';

/** The current permissions of a caller, looked up after the call, so that nothing is sent on outdated permissions. */
export type Confirm = (token: TokenInProject) => Promise<ReadonlySet<Permission>>;

interface PendingConfirmation {
  readonly token: TokenInProject;
  readonly answer: Promise<ReadonlySet<Permission>>;
  readonly resolve: (permissions: ReadonlySet<Permission>) => void;
  readonly reject: (error: unknown) => void;
}

/** Answers all requests of one turn of the event loop with one query. */
export function openConfirm({ db, now }: Pick<Context, 'db' | 'now'>): Confirm {
  let batch = new Map<string, PendingConfirmation>();

  const ask = async () => {
    const requests = [...batch.values()];
    batch = new Map();
    try {
      const found = await currentPermissions(
        db,
        requests.map(({ token }) => token),
        now(),
      );
      for (const [index, { resolve }] of requests.entries()) resolve(found[index]!);
    } catch (error) {
      for (const { reject } of requests) reject(error);
    }
  };

  return (token) => {
    const key = `${token.tokenHash.toString('latin1')} ${token.projectId}`;
    const known = batch.get(key);
    if (known) return known.answer;
    if (batch.size === 0) setImmediate(() => void ask());
    const { promise: answer, resolve, reject } = Promise.withResolvers<ReadonlySet<Permission>>();
    batch.set(key, { token, answer, resolve, reject });
    return answer;
  };
}
