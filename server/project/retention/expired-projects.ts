import type { Context } from '../../base/context.ts';
import { extendStatementTimeout } from '../../base/database/extend-statement-timeout.ts';
import { inTransaction } from '../../base/database/transaction.ts';
import type { CleanUpOptions } from '../../base/removal-count.ts';

/**
 * Removes the projects that have been in the trash for long enough with everything in them, each in a transaction of its
 * own: one may contain millions of rows. A project that fails does not prevent the others.
 * @throws the first error, after all projects
 */
export async function removeExpiredProjects(
  { db, now, settings }: Context,
  { signal, report }: CleanUpOptions = {},
): Promise<void> {
  const limit = new Date(now().getTime() - settings.trashLifetimeMs);
  const projects = await db
    .selectFrom('project')
    .select('id')
    .where('deleted_at', '<=', limit)
    .orderBy('deleted_at')
    .execute();
  const errors: unknown[] = [];
  for (const { id } of projects) {
    if (signal?.aborted) break;
    try {
      const count = await inTransaction(db, async (tx) => {
        await extendStatementTimeout(tx);
        // it may have been restored meanwhile
        const { numDeletedRows } = await tx
          .deleteFrom('project')
          .where('id', '=', id)
          .where('deleted_at', '<=', limit)
          .executeTakeFirst();
        return Number(numDeletedRows);
      });
      report?.('trash', [{ count }]);
    } catch (error) {
      errors.push(error);
    }
  }
  if (errors.length > 0) throw errors[0];
}
