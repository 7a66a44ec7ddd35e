import type { Authorise } from './http/routes.ts';
import { extendVisit } from './apps/share-links/visits.ts';
import { dataRegistered, visitUsed } from './datasources/hooks.ts';
import { fileStored, filesMoved } from './files/hooks.ts';
import { authorise } from './identity/iam/authorise.ts';
import { recordLastSeen } from './identity/iam/last-seen.ts';
import { taskRemoved, taskWritten } from './jobs/hooks.ts';
import { inspectAfterUpload } from './jobs/inspect/after-upload.ts';
import { inspectDatasource } from './jobs/inspect/inspect-datasource.ts';
import { authoriseRunner } from './jobs/runners/authorise-runner.ts';
import { relocateTasks } from './jobs/tasks/follow-moved-objects.ts';
import { setAdmission } from './jobs/types/admission.ts';
import { publishAdmission } from './publishing/publish/admission.ts';
import { linkPublication } from './publishing/publish/link-task.ts';
import { publishables } from './publishing/publish/publication.ts';
import { updatePublishTaskIds } from './publishing/publish/store.ts';

/** Connects hooks of lower areas with the listeners of higher ones, which the lower areas cannot import. */
export function connectAreas(): void {
  fileStored.connect(inspectAfterUpload);
  filesMoved.connect(relocateTasks);
  dataRegistered.connect(inspectDatasource);
  visitUsed.connect(extendVisit);
  taskWritten.connect(linkPublication);
  taskRemoved.connect(updatePublishTaskIds);
  for (const { jobName } of Object.values(publishables)) setAdmission(jobName, publishAdmission);
}

/** Authorises runners and jobs by their own tokens, all other callers by the token of a user. */
export const authoriseAny: Authorise = async (context, endpoint, params, credential) => {
  const { access } = endpoint;
  if (access === 'runner' || access === 'job') return authoriseRunner(context, access, params, credential);
  const caller = await authorise(context.lookups, endpoint, params, credential);
  await recordLastSeen(context, caller);
  return caller;
};
