import { sql, type RawBuilder } from 'kysely';
import type { Db } from '../../base/database/database.ts';
import {
  appsOfModule,
  datasourcesOfFiles,
  datasourcesOfPlace,
  modulesOfDatasource,
  placesOfFiles,
  releasesOfDatasource,
  releasesOfFiles,
  releasesOfPlace,
  scenariosOfModule,
  tasksOfCredential,
  tasksOfDatasource,
  tasksThatRead,
  tasksThatWrite,
  usesOfFiles,
  type DatasourceId,
  type Edge,
} from './edges.ts';
import { requireUnused } from './uses.ts';

type ReferencedPath = Parameters<typeof datasourcesOfPlace>[0];

/** Everything that refers to a file, a folder or, without a key, to anything in a bucket. */
export const ofPlace = (place: ReferencedPath): Edge[] => [
  datasourcesOfPlace(place),
  tasksThatRead(place),
  tasksThatWrite(place),
  releasesOfPlace(place),
];

export const ofModule = (id: string): Edge[] => [appsOfModule(id), scenariosOfModule(id)];

export const ofDatasource = (id: DatasourceId): Edge[] => [
  modulesOfDatasource(id),
  tasksOfDatasource(id),
  releasesOfDatasource(id),
];

/** @throws Failure `conflict` if a datasource or an automatic task needs the file, or something in the folder */
export function requireUnusedObject(db: Db, place: ReferencedPath & { readonly key: string }): Promise<void> {
  return requireUnused(db, place.key.endsWith('/') ? 'folder' : 'file', ofPlace(place));
}

/** @throws Failure `conflict` */
export function requireUnusedBucket(db: Db, place: Omit<ReferencedPath, 'key'>): Promise<void> {
  return requireUnused(db, 'data bucket', ofPlace({ ...place, key: undefined }));
}

/** @throws Failure `conflict` */
export function requireUnusedDatasource(db: Db, datasourceId: string): Promise<void> {
  return requireUnused(db, 'datasource', ofDatasource(datasourceId));
}

/** @throws Failure `conflict` */
export function requireUnusedModule(db: Db, moduleId: string): Promise<void> {
  return requireUnused(db, 'module', ofModule(moduleId));
}

/** @throws Failure `conflict` */
export function requireUnusedCredential(db: Db, credentialId: string): Promise<void> {
  return requireUnused(db, 'credential', [tasksOfCredential(credentialId)]);
}

/**
 * Served files must not be replaced: `places` are their keys.
 * @throws Failure `conflict` that names what serves or shows one of them
 */
export function requireNoneServed(
  db: Db,
  place: Omit<ReferencedPath, 'key'>,
  places: RawBuilder<unknown>,
): Promise<void> {
  const remedy = 'copy the other file to its key, which creates a revision, or send force=true.';
  const edges = [datasourcesOfFiles(place, places), releasesOfFiles(place, places)];
  return requireUnused(db, 'file in the way', edges, remedy);
}

interface Outputs {
  readonly projectId: string;
  readonly bucket: { readonly _id: string } | undefined;
  readonly keys: readonly string[];
  readonly datasources: readonly { readonly _id: string }[];
}

/** @throws Failure `conflict` if something else needs the outputs of a job */
export async function requireUnusedOutputs(
  db: Db,
  { projectId, bucket, keys, datasources }: Outputs,
): Promise<void> {
  const ids = datasources.map(({ _id }) => _id);
  const edges = [
    ...(bucket
      ? [
          ...usesOfFiles({ projectId, bucketId: bucket._id }, keys, ids),
          releasesOfFiles({ projectId, bucketId: bucket._id }, placesOfFiles(keys)),
        ]
      : []),
    ...(ids.length > 0 ? ofDatasource(sql`any(${ids}::text[])`) : []),
  ];
  if (edges.length > 0) await requireUnused(db, 'result of this job', edges);
}
