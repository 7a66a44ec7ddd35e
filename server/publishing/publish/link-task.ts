import { maxPublications } from '@platen/contract/publish';
import { findCredential } from '../credentials/store.ts';
import type { Db } from '../../base/database/database.ts';
import { Failure } from '../../base/failure.ts';
import type { JobParameters } from '../../jobs/types/check-parameters.ts';
import { typeNameOf } from '../../base/type-name.ts';
import { overlaps } from './overlaps.ts';
import { publicationOf, type Publication } from './publication.ts';
import { findPublishable, findTasksByCredentials, updatePublishTaskIds, type PublishTask } from './store.ts';

interface WrittenTask {
  readonly projectId: string;
  readonly taskId: string;
  readonly by: string;
  readonly now: Date;
}

/**
 * After the parameters of a task were written, and what they name: it joins, or leaves, `publishTaskIds`.
 * @throws Failure `conflict` where another task already publishes to that destination, in it, or around it
 */
export async function linkPublication(
  tx: Db,
  { projectId, taskId, by, now }: WrittenTask,
  { spec, options }: Pick<JobParameters, 'spec' | 'options'>,
): Promise<void> {
  const publication = publicationOf(spec.name, options);
  if (publication) await requireFreeDestination(tx, { projectId, taskId, publication });
  await updatePublishTaskIds(tx, { projectId, taskId, by, now });
  if (!publication) return;
  const { type, resourceId: id } = publication;
  const row = await findPublishable(tx, { projectId, type, id });
  if ((row?.taskIds.length ?? 0) > maxPublications)
    throw new Failure('conflict', `At most ${maxPublications} tasks can publish the same ${type}.`);
}

interface DestinationClaim {
  readonly projectId: string;
  readonly taskId: string;
  readonly publication: Publication;
}

/** Publishing replaces the content of the destination, so two tasks would overwrite each other. */
async function requireFreeDestination(
  tx: Db,
  { projectId, taskId, publication: { credentialsId, destination } }: DestinationClaim,
): Promise<void> {
  await findCredential(tx, projectId, credentialsId, { lock: true }); // one after the other
  const others = await findTasksByCredentials(tx, credentialsId);
  const other = others.find((task) => task.id !== taskId && overlaps(destinationOf(task), destination));
  if (!other) return;
  const detail = `The task “${other.name}” (${other.id}) already publishes to “${destinationOf(other)}”. The two tasks would overwrite each other’s files.`;
  throw new Failure('conflict', `/parameters/options/destination: ${detail}`, {
    errors: [{ pointer: '/parameters/options/destination', code: 'taken', detail }],
  });
}

export function destinationOf({ jobType, parameters }: PublishTask): string {
  const options = parameters['options'] as Parameters<typeof publicationOf>[1];
  return publicationOf(typeNameOf(jobType), options)!.destination;
}
