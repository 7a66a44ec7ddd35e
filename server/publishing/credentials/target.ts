import type { BundleTarget } from '@platen/contract/runner-bundle';
import type { Context } from '../../base/context.ts';
import { Failure, notFound } from '../../base/failure.ts';
import type { Caller } from '../../base/caller.ts';
import { checkParameters } from '../../jobs/types/check-parameters.ts';
import { openParts, requireWhole, type LoginParts } from '../logins/parts.ts';
import { findLogin } from '../logins/store.ts';
import { publicationOf, type Publication } from '../publish/publication.ts';
import { leaseLost } from '../../jobs/queue/lease.ts';
import { fenceOf } from '../../jobs/runners/authorise-runner.ts';
import { ownerOf } from '../../base/secrets/reencrypt-secrets.ts';
import { findCredential, type CredentialRow } from './store.ts';

export interface JobTarget {
  readonly target: BundleTarget;
  readonly numThreads: number;
  readonly gzip: boolean;
}

/**
 * The target of a job’s bundle with its login, only for the runner that holds the running job.
 * @throws Failure `not_found` if the job publishes nothing, `unusable_reference` if there is no login
 */
export async function targetOf(context: Context, caller: Caller): Promise<JobTarget> {
  const { projectId, publication } = await publicationOfJob(context, caller);
  const row = await findCredential(context.db, projectId, publication.credentialsId);
  if (!row) throw new Failure('unusable_reference', 'The credentials of this job no longer exist.');
  const parts = row.type === 'fs' ? {} : await partsOf(context, row);
  const { destination, numThreads, gzip } = publication;
  return { target: bundleTarget(row, parts, destination), numThreads, gzip };
}

/** @throws Failure `not_found` where it publishes nothing, `conflict` where the caller holds it no more */
async function publicationOfJob(
  { db }: Context,
  caller: Caller,
): Promise<{ projectId: string; publication: Publication }> {
  const { jobId, attempt } = fenceOf(caller);
  const job = await db
    .selectFrom('job')
    .select(['project_id', 'job_type', 'parameters'])
    .where('id', '=', jobId)
    .where('attempt', '=', attempt)
    .where('state', '=', 'running')
    .executeTakeFirst();
  if (!job) throw leaseLost();
  const { spec, options } = checkParameters(job.job_type, job.parameters);
  const publication = publicationOf(spec.name, options);
  if (!publication) throw notFound('target of this job');
  return { projectId: job.project_id, publication };
}

/** The current parts of the login. */
async function partsOf({ db, secrets }: Context, row: CredentialRow): Promise<LoginParts> {
  const parts = await openLogin({ db, secrets }, row);
  try {
    requireWhole(row.type as Exclude<CredentialRow['type'], 'fs'>, parts);
  } catch (error) {
    throw new Failure('unusable_reference', `The login of the credentials “${row.name}” is incomplete.`, {
      cause: error,
    });
  }
  return parts;
}

async function openLogin(
  { db, secrets }: Pick<Context, 'db' | 'secrets'>,
  { id, name, login, secret, login_credential_id: loginId }: CredentialRow,
): Promise<LoginParts> {
  if (secret) return openParts(secrets, { login, secret }, ownerOf.credential(id));
  const row = loginId === null ? undefined : await findLogin(db, loginId);
  if (row) return openParts(secrets, row, ownerOf.login(row.id));
  throw new Failure(
    'unusable_reference',
    `The login of the credentials “${name}” was deleted. Give the credentials another login.`,
  );
}

function bundleTarget({ type, target }: CredentialRow, login: LoginParts, destination: string): BundleTarget {
  const { host = '', port = 0, hostKey, folder = '', isSecure = true } = target;
  const { username = '', password, privateKey, passphrase } = login;
  if (type === 'fs') return { type, folder: joined(folder, destination) };
  if (type === 'ftp')
    return { type, host, port, username, password: password!, isSecure, folder: joined(folder, destination) };
  if (type === 'sftp')
    return {
      type,
      host,
      port,
      username,
      ...(password !== undefined && { password }),
      ...(privateKey !== undefined && { privateKey }),
      ...(passphrase !== undefined && { passphrase }),
      ...(hostKey !== undefined && { hostKey }),
      folder: joined(folder, destination),
    };
  const { endpoint, region = '', bucket = '', isPathStyle = false, prefix = '' } = target;
  const { accessKeyId = '', secretAccessKey = '', sessionToken } = login;
  const place = joined(prefix, destination);
  return {
    type,
    ...(endpoint !== undefined && { endpoint }),
    region,
    bucket,
    isPathStyle,
    accessKeyId,
    secretAccessKey,
    ...(sessionToken !== undefined && { sessionToken }),
    prefix: place === '' ? '' : `${place}/`,
  };
}

/** A folder below another one, of which either may be empty; that of a server may be its root. */
export function joined(folder: string, destination: string): string {
  if (destination === '') return folder;
  return folder === '' || folder.endsWith('/') ? folder + destination : `${folder}/${destination}`;
}
