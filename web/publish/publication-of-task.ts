import type { Publication } from '@platen/contract/publish';
import type { TaskListItem } from '@platen/contract/tasks';

/** The publication that a task stands for; undefined if its parameters may not be read. */
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
