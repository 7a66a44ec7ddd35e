import { sql } from 'kysely';
import { findCredential, type CredentialRow } from '../credentials/store.ts';
import { joined } from '../credentials/target.ts';
import { lockKeys } from '../../base/database/advisory-locks.ts';
import type { Db } from '../../base/database/database.ts';
import { inTransaction } from '../../base/database/transaction.ts';
import type { JobRow } from '../../jobs/store.ts';
import { publicationOf } from './publication.ts';

type ClaimedJob = Pick<JobRow, 'id' | 'attempt' | 'project_id' | 'type_name'>;

/**
 * Locks the destination of a claimed publishing job, including folders inside and around it; credentials of other
 * projects may lead there, too.
 * @returns false if another job is publishing there
 */
export async function lockDestination(
  db: Db,
  { id: jobId, attempt, project_id: projectId, type_name: typeName }: ClaimedJob,
  options: Parameters<typeof publicationOf>[1],
): Promise<boolean> {
  const publication = publicationOf(typeName, options);
  const row = publication && (await findCredential(db, projectId, publication.credentialsId));
  if (!row) return true; // the request for the target reports the missing credential
  const place = placeOf(row, publication.destination);
  return inTransaction(db, (tx) => lockPlace(tx, { jobId, attempt, place }));
}

interface DestinationLock {
  readonly jobId: string;
  readonly attempt: number;
  readonly place: string;
}

async function lockPlace(tx: Db, { jobId, attempt, place }: DestinationLock): Promise<boolean> {
  await sql`select pg_advisory_xact_lock(${lockKeys.publishing})`.execute(tx);
  await sql`delete from publish_run r where not exists (
    select from job j where j.id = r.job_id and j.attempt = r.attempt and j.state = 'running')`.execute(tx);
  const { rows } = await sql`select from publish_run where job_id <> ${jobId}
    and (starts_with(place, ${place}) or starts_with(${place}, place)) limit 1`.execute(tx);
  if (rows.length > 0) return false;
  await sql`insert into publish_run (job_id, attempt, place) values (${jobId}, ${attempt}, ${place})
    on conflict (job_id) do update set attempt = excluded.attempt, place = excluded.place`.execute(tx);
  return true;
}

/** The same for all credentials that lead there; ends in a slash. */
function placeOf({ type, target, login, login_credential_id }: CredentialRow, destination: string): string {
  const { host, port, folder = '', endpoint, region, bucket, prefix = '' } = target;
  if (type === 'fs') return withSlash(`fs:${joined(folder, destination)}`.toLowerCase());
  if (type === 's3')
    return withSlash(`s3:${endpoint ?? region}/${joined(joined(bucket ?? '', prefix), destination)}`);
  // a relative folder depends on the home directory of the login
  const home = folder.startsWith('/') ? '' : `${login.username ?? login_credential_id ?? ''}@/`;
  return withSlash(`${host}:${port}/${home}${joined(folder, destination)}`);
}

const withSlash = (place: string) => (place.endsWith('/') ? place : `${place}/`);
