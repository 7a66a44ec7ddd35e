import type { Publication } from '@platen/contract/publish';
import type { TaskListItem } from '@platen/contract/tasks';

/** What a task that publishes was made from; undefined where one may not read its parameters. */
export function publicationOf({
  parameters,
  schedule,
}: Pick<TaskListItem, 'parameters' | 'schedule'>): Publication | undefined {
  const options = parameters?.['options'] as Partial<Publication> | undefined;
  if (typeof options?.credentialsId !== 'string') return undefined;
  const { credentialsId, destination, numThreads, gzip } = options;
  return {
    credentialsId,
    ...(typeof destination === 'string' && { destination }),
    ...(typeof numThreads === 'number' && { numThreads }),
    ...(typeof gzip === 'boolean' && { gzip }),
    schedule,
  };
}
