import type { Datasource } from '@platen/contract/datasources';
import type { Context } from '../../base/context.ts';
import { inTransaction } from '../../base/database/transaction.ts';
import { Failure } from '../../base/failure.ts';
import { completeDatasource } from '../../datasources/facts/complete.ts';
import { factsOfReport } from '../../datasources/facts/facts-of.ts';
import { lookAtAddress } from '../../datasources/facts/look-at-address.ts';
import { isRunnerThere, startInspection } from './operations.ts';
import { findReport, findUnendedInspection } from './store.ts';
import { findTarget } from './target.ts';

/**
 * Completes a datasource by what is known of its data; if nothing is, its file or folder is inspected in the background,
 * and the datasource completed then. Never throws.
 */
export async function inspectDatasource(context: Context, datasource: Datasource, by: string): Promise<void> {
  const { _id: id, projectId, type, dataRevision, sourceProperties: source } = datasource;
  if (source.type === 'external') return lookAtAddress(context, datasource);
  if (type === 'generic') return;
  const { db, now, settings, log } = context;
  try {
    const target = await findTarget(db, source.dataBucketId, source.dataBucketKey);
    // before the report is read: an inspection that is about to end may not see this datasource
    const active = await findUnendedInspection(db, projectId, target.reportOf);
    const report = await findReport(db, projectId, target.reportOf);
    const facts = report && factsOfReport(report);
    if (facts)
      return await inTransaction(db, (tx) => completeDatasource(tx, { id, dataRevision }, facts, now()));
    if (report || active || !settings.inspectUploads) return;
    if (await isRunnerThere(context))
      await startInspection(context, { projectId, target, by, isUrgent: false });
  } catch (error) {
    if (!(error instanceof Failure))
      log.warn({ err: error, datasource: id }, 'a datasource could not be inspected');
  }
}
