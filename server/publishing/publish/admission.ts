import { noReference, type Admission } from '../../jobs/types/admission.ts';
import { publicationOf } from './publication.ts';
import { requirePublication } from './require-publication.ts';
import { lockDestination } from './lock-destination.ts';

/** Admission of tasks and jobs that publish. */
export const publishAdmission: Admission = {
  requireReferences: requirePublication,
  referencesOf({ spec, options }) {
    const publication = publicationOf(spec.name, options);
    if (!publication) return [];
    const { type, resourceId, credentialsId } = publication;
    return [{ ...noReference, role: 'publish', [`${type}_id`]: resourceId, credential_id: credentialsId }];
  },
  async lockTarget(db, job, options) {
    const isFree = await lockDestination(db, job, options);
    return isFree
      ? undefined
      : 'Another job is publishing to the same destination. This job waits for it to end.';
  },
};
