import type { ProjectEvent } from '@platen/contract/events';

/** What of a project an answer of the API tells of: named like the events that say it has changed. */
export type Topic = ProjectEvent['type'] | 'summary' | 'usage' | 'permissions' | 'trash';

/**
 * The key of an answer in the cache: `projectKey(id, 'app')` and all that begins so is asked for again when an app of
 * the project has changed.
 */
export const projectKey = (projectId: string, topic: Topic, ...more: (string | number | object)[]) => [
  'project',
  projectId,
  topic,
  ...(more as never[]),
];
