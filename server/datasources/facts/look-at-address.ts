import type { Datasource } from '@platen/contract/datasources';
import type { Context } from '../../base/context.ts';
import { inTransaction } from '../../base/database/transaction.ts';
import { Failure } from '../../base/failure.ts';
import { probeAddress } from '../datasource-probe/operations.ts';
import { completeDatasource } from './complete.ts';
import { factsOfProbe } from './facts-of.ts';

/**
 * Completes a datasource at a web address by what the address tells of it, after the request that registered it. The
 * address is asked within the bounds of probes; without an answer, the datasource stays as it is. Never throws.
 */
export function lookAtAddress(context: Context, datasource: Datasource): void {
  const { settings, log } = context;
  if (!settings.inspectUploads) return;
  void look(context, datasource).catch((error: unknown) => {
    const isExpected = error instanceof Failure || isShutDown(error);
    if (!isExpected)
      log.warn({ err: error, datasource: datasource._id }, 'an address could not be inspected');
  });
}

async function look(
  context: Context,
  { _id: id, projectId, type, dataRevision, typeProperties, sourceProperties: source }: Datasource,
): Promise<void> {
  if (source.type !== 'external') return;
  const signal = new AbortController().signal;
  const probe = await probeAddress(context, { projectId, url: source.url, signal });
  if (probe.type !== type) return;
  const facts = factsOfProbe(probe, typeProperties);
  if (Object.keys(facts).length === 0) return;
  const { db, now } = context;
  await inTransaction(db, (tx) => completeDatasource(tx, { id, dataRevision }, facts, now()));
}

function isShutDown(error: unknown): boolean {
  return error instanceof Error && error.message === 'driver has already been destroyed';
}
