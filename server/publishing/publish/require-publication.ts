import type { Permission } from '@platen/contract/permission';
import { findCredential } from '../credentials/store.ts';
import { Failure, unusableAt } from '../../base/failure.ts';
import { may, maySee } from '../../base/caller.ts';
import type { JobParameters } from '../../jobs/types/check-parameters.ts';
import type { ReferenceScope } from '../../jobs/types/reference-scope.ts';
import { publicationOf, publishables, type Publishable } from './publication.ts';
import { findPublishable } from './store.ts';

const toRead: Readonly<Record<Publishable, Permission>> = {
  app: 'getApp',
  datasource: 'getDatasource',
  scenario: 'getModule',
};

/**
 * Checks that the resource and the credentials of a publishing task are in this project and that the caller may use
 * them.
 * @throws Failure `invalid`, `unusable_reference`, `forbidden`
 */
export async function requirePublication(scope: ReferenceScope, parameters: JobParameters): Promise<void> {
  const { db, projectId, caller } = scope;
  const publication = publicationOf(parameters.spec.name, parameters.options);
  if (!publication) return;
  requireKnown(parameters);
  const { type, resourceId, credentialsId } = publication;
  const pointer = `/parameters/options/${publishables[type].field}`;
  const row = await findPublishable(db, { projectId, type, id: resourceId });
  if (!row) throw unusableAt(pointer, `There is no such ${type} in this project.`);
  if (caller && !maySee(caller, toRead[type], row.createdBy)) throw lacks(toRead[type], pointer);
  const at = '/parameters/options/credentialsId';
  if (caller && !may(caller, 'getCredentials')) throw lacks('getCredentials', at);
  if (!(await findCredential(db, projectId, credentialsId)))
    throw unusableAt(at, 'There are no such credentials in this project.');
}

/** Other types of jobs take what they do not know with a warning; here it could be a password, which is stored nowhere. */
function requireKnown({ warnings }: JobParameters): void {
  const [warning] = warnings;
  if (!warning) return;
  const errors = warning.examples.map(({ pointer }) => ({
    pointer: String(pointer),
    code: 'unknown',
    detail: 'This option is unknown. A publishing task names its credentials by their ID.',
  }));
  throw new Failure('invalid', `${errors[0]!.pointer}: ${errors[0]!.detail}`, { errors });
}

const lacks = (permission: Permission, pointer: string) =>
  new Failure('forbidden', `${pointer}: You need the permission ${permission}.`);
