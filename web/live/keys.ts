import type { ProjectEvent } from '@platen/contract/events';

/** The part of a project that an answer depends on, named like the events that report its change. */
export type Topic = ProjectEvent['type'] | 'summary' | 'usage' | 'permissions' | 'trash';

/**
 * The cache key of an answer: everything under `projectKey(id, 'app')` is fetched again when an app of the project
 * changes.
 */
export const projectKey = (projectId: string, topic: Topic, ...more: (string | number | object)[]) => [
  'project',
  projectId,
  topic,
  ...(more as never[]),
];
