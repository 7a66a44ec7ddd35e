import { RequestFailed } from '@platen/client/client';
import type { Invocation } from '../command.ts';
import { CommandFailure } from '../failures.ts';
import type { ApiClient, Session } from '../session.ts';
import { allPages } from './all-pages.ts';

interface Named {
  readonly _id: string;
  readonly name: string;
}

interface Finder<Item extends Named> {
  /** What is looked for, such as `project`. */
  readonly noun: string;
  readonly get: (id: string) => Promise<Item>;
  readonly list: (query: { limit: number; page: number; name: string[] }) => Promise<{
    items: readonly Item[];
    totalPages: number;
  }>;
}

const idPattern = /^[a-z\d]{26}$/;

/** @throws CommandFailure if nothing has the ID or name, or several have the name */
async function findOne<Item extends Named>({ noun, get, list }: Finder<Item>, text: string): Promise<Item> {
  if (idPattern.test(text)) {
    try {
      return await get(text);
    } catch (error) {
      if (!(error instanceof RequestFailed && error.status === 404)) throw error;
    }
  }
  const similar = await allPages((paging) => list({ ...paging, name: [text] }));
  const [match, ...others] = similar.filter(({ name }) => name === text);
  if (!match)
    throw new CommandFailure('notFound', `No ${noun} has the ID or name “${text}”, or you may not see it.`);
  if (others.length > 0) {
    const ids = [match, ...others].map(({ _id }) => _id).join(', ');
    throw new CommandFailure('failed', `Several have the name “${text}”. Use the ID of the ${noun}: ${ids}.`);
  }
  return match;
}

/** The project of `--project`. */
export function findProject({ api }: Session, { option }: Invocation) {
  return findOne(
    {
      noun: 'project',
      get: (projectId) => api.getProject({ params: { projectId } }),
      list: (query) => api.getProjects({ query }),
    },
    option('project')!,
  );
}

export function findBucket(api: ApiClient, projectId: string, text: string) {
  return findOne(
    {
      noun: 'data bucket',
      get: (dataBucketId) => api.getProjectDataBucket({ params: { projectId, dataBucketId } }),
      list: (query) => api.getProjectDataBuckets({ params: { projectId }, query }),
    },
    text,
  );
}

export function findTask(api: ApiClient, projectId: string, text: string): Promise<Named> {
  return findOne<Named>(
    {
      noun: 'task',
      get: (taskId) => api.getProjectTask({ params: { projectId, taskId } }),
      list: (query) => api.getProjectTasks({ params: { projectId }, query }),
    },
    text,
  );
}

export function findApp(api: ApiClient, projectId: string, text: string) {
  return findOne(
    {
      noun: 'app',
      get: (appId) => api.getProjectApp({ params: { projectId, appId } }),
      list: (query) => api.getProjectApps({ params: { projectId }, query }),
    },
    text,
  );
}

export function findCredential(api: ApiClient, projectId: string, text: string): Promise<Named> {
  return findOne<Named>(
    {
      noun: 'destination',
      get: (credentialId) => api.getProjectCredential({ params: { projectId, credentialId } }),
      list: (query) => api.getProjectCredentials({ params: { projectId }, query }),
    },
    text,
  );
}
