import { sql, type RawBuilder } from 'kysely';

/**
 * Whether the project of a row is not in the trash. Queries that do not begin at a project to which the caller has access
 * have this condition, so that nothing in a deleted project is reached or runs.
 * @param projectId the column with the ID of the project
 */
export const inLiveProject = (projectId: string): RawBuilder<boolean> =>
  sql<boolean>`exists (select from project live where live.id = ${sql.ref(projectId)} and live.deleted_at is null)`;
