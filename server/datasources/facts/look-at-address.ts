import type { Datasource } from '@platen/contract/datasources';
import { sql } from 'kysely';
import type { Context } from '../../base/context.ts';
import { inTransaction } from '../../base/database/transaction.ts';
import { Failure } from '../../base/failure.ts';
import { probeAddress } from '../datasource-probe/operations.ts';
import { completeDatasource } from './complete.ts';
import { factsOfProbe } from './facts-of.ts';

const minuteMs = 60_000;
const hourMs = 60 * minuteMs;
/** An address that has not answered for so long after it was registered is not asked again. */
const patienceMs = 24 * hourMs;

/**
 * Completes a datasource at a web address by what the address tells of it, after the request that registered it. The
 * address is asked within the bounds of probes; without an answer, the datasource stays as it is, and the address is
 * asked again later. Never throws.
 */
export function lookAtAddress(context: Context, datasource: Datasource): void {
  if (!context.settings.inspectUploads) return;
  void look(context, datasource);
}

/** The same, until it is done. */
export async function look(context: Context, datasource: Datasource): Promise<void> {
  try {
    await askAgain(context, datasource, await ask(context, datasource));
  } catch (error) {
    if (!isShutDown(error))
      context.log.warn({ err: error, datasource: datasource._id }, 'an address could not be inspected');
  }
}

/** @returns in how many milliseconds to ask again; undefined: not again */
async function ask(
  context: Context,
  { _id: id, projectId, type, dataRevision, dataUpdatedAt, typeProperties, sourceProperties }: Datasource,
): Promise<number | undefined> {
  if (sourceProperties.type !== 'external') return undefined;
  try {
    const { signal } = new AbortController();
    const probe = await probeAddress(context, { projectId, url: sourceProperties.url, signal });
    if (probe.type === undefined) {
      const age = context.now().getTime() - Date.parse(dataUpdatedAt);
      return age < patienceMs ? hourMs : undefined;
    }
    const facts = factsOfProbe(probe, typeProperties);
    if (probe.type !== type || Object.keys(facts).length === 0) return undefined;
    const { db, now } = context;
    await inTransaction(db, (tx) => completeDatasource(tx, { id, dataRevision }, facts, now()));
    return undefined;
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
    return error.code === 'too_many_requests' ? minuteMs : undefined;
  }
}

/** Does nothing if the data is another by now. */
async function askAgain(
  { db, now }: Context,
  { _id: id, dataRevision }: Datasource,
  inMs: number | undefined,
): Promise<void> {
  const at = inMs === undefined ? null : new Date(now().getTime() + inMs);
  await sql`update datasource set ask_at = ${at} where id = ${id} and data_revision = ${dataRevision}`.execute(
    db,
  );
}

function isShutDown(error: unknown): boolean {
  return error instanceof Error && error.message === 'driver has already been destroyed';
}
