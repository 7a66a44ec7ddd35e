import type { ObjectUseListQuery, Use, UseListQuery } from '@platen/contract/used-by';
import type { Page } from '@platen/contract/schema';
import type { BucketPath } from '../buckets/operations.ts';
import type { Context } from '../../base/context.ts';
import { getObject } from '../objects/operations.ts';
import {
  datasourcesOfTask,
  projectOfBucket,
  scenariosOfApp,
  tasksOfApp,
  tasksOfCredential,
  tasksOfScenario,
} from './edges.ts';
import { ofDatasource, ofModule, ofPlace } from './in-use.ts';
import { findUses } from './uses.ts';

export async function listUsesOfObject(
  context: Context,
  path: BucketPath,
  query: ObjectUseListQuery,
): Promise<Page<Use>> {
  const { key } = await getObject(context, path, query.key);
  return findUses(
    context.db,
    ofPlace({ projectId: path.projectId, bucketId: path.dataBucketId, key }),
    query,
  );
}

export function listUsesOfBucket(
  { db }: Context,
  { projectId, dataBucketId: bucketId }: BucketPath,
  query: UseListQuery,
): Promise<Page<Use>> {
  const place = { projectId, bucketId, key: undefined };
  return findUses(db, [projectOfBucket(place), ...ofPlace(place)], query);
}

export function listUsesOfDatasource(
  { db }: Context,
  { datasourceId }: { datasourceId: string },
  query: UseListQuery,
): Promise<Page<Use>> {
  return findUses(db, ofDatasource(datasourceId), query);
}

export function listUsesOfModule({ db }: Context, moduleId: string, query: UseListQuery): Promise<Page<Use>> {
  return findUses(db, ofModule(moduleId), query);
}

export function listUsesOfApp({ db }: Context, appId: string, query: UseListQuery): Promise<Page<Use>> {
  return findUses(db, [tasksOfApp(appId), scenariosOfApp(appId)], query);
}

export function listUsesOfScenario({ db }: Context, id: string, query: UseListQuery): Promise<Page<Use>> {
  return findUses(db, [tasksOfScenario(id)], query);
}

export function listUsesOfCredential({ db }: Context, id: string, query: UseListQuery): Promise<Page<Use>> {
  return findUses(db, [tasksOfCredential(id)], query);
}

export function listUsesOfTask(
  { db }: Context,
  { projectId, taskId }: { projectId: string; taskId: string },
  query: UseListQuery,
): Promise<Page<Use>> {
  return findUses(db, [datasourcesOfTask(projectId, taskId)], query);
}
