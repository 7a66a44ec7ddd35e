import type { Permission } from '@platen/contract/permission';
import type { Context } from '../../base/context.ts';
import { currentPermissions, type TokenInProject } from '../../identity/iam/current-permissions.ts';

/** The current permissions of a caller, looked up after the call, so that nothing is sent on outdated permissions. */
export type Confirm = (standing: Standing) => Promise<ReadonlySet<Permission>>;

interface Asked {
  readonly standing: TokenInProject;
  readonly answer: Promise<ReadonlySet<Permission>>;
  readonly resolve: (permissions: ReadonlySet<Permission>) => void;
  readonly reject: (error: unknown) => void;
}

/** Answers all requests of one turn of the event loop with one query. */
export function openConfirm({ db, now }: Pick<Context, 'db' | 'now'>): Confirm {
  let batch = new Map<string, Asked>();

  const ask = async () => {
    const asked = [...batch.values()];
    batch = new Map();
    try {
      const found = await currentPermissions(
        db,
        asked.map(({ standing }) => standing),
        now(),
      );
      for (const [index, { resolve }] of asked.entries()) resolve(found[index]!);
    } catch (error) {
      for (const { reject } of asked) reject(error);
    }
  };

  return (standing) => {
    const key = `${standing.tokenHash.toString('latin1')} ${standing.projectId}`;
    const known = batch.get(key);
    if (known) return known.answer;
    if (batch.size === 0) setImmediate(() => void ask());
    const { promise: answer, resolve, reject } = Promise.withResolvers<ReadonlySet<Permission>>();
    batch.set(key, { standing, answer, resolve, reject });
    return answer;
  };
}
