import type { JobFile } from '@platen/contract/job-files';
import { sql, type Selectable } from 'kysely';
import type { Db } from '../../base/database/database.ts';
import type { Tables } from '../../base/database/schema.ts';

type JobFileRow = Selectable<Tables['job_file']>;

export interface StoredJobFile extends JobFile {
  readonly blobId: string;
}

export async function findJobFiles(db: Db, projectId: string, jobId: string): Promise<StoredJobFile[]> {
  const rows = await db
    .selectFrom('job_file')
    .selectAll()
    .where('project_id', '=', projectId)
    .where('job_id', '=', jobId)
    .orderBy('name')
    .execute();
  return rows.map(fromRow);
}

/** Locks the row, so that its blob stays until the transaction ends. */
export async function findJobFile(
  db: Db,
  { projectId, jobId, name }: { projectId: string; jobId: string; name: string },
  { lock = false } = {},
): Promise<StoredJobFile | undefined> {
  const row = await db
    .selectFrom('job_file')
    .selectAll()
    .where('project_id', '=', projectId)
    .where('job_id', '=', jobId)
    .where('name', '=', name)
    .$if(lock, (query) => query.forShare())
    .executeTakeFirst();
  return row && fromRow(row);
}

/** The number of files of the job other than the one with this name. */
export async function countOtherFiles(db: Db, jobId: string, name: string): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*) from job_file where job_id = ${jobId} and name <> ${name}`.execute(db);
  return rows[0]!.count;
}

/** Releases the blob and its share of the quota. */
export async function dropJobFile(db: Db, jobId: string, name: string): Promise<void> {
  await db.deleteFrom('job_file').where('job_id', '=', jobId).where('name', '=', name).execute();
}

export async function insertJobFile(db: Db, row: JobFileRow): Promise<void> {
  await db.insertInto('job_file').values(row).execute();
}

export async function setRejected(db: Db, jobId: string, rejected: number): Promise<void> {
  await db.updateTable('job').set({ rejected }).where('id', '=', jobId).execute();
}

function fromRow(row: JobFileRow): StoredJobFile {
  return {
    name: row.name,
    size: row.size,
    sha256: row.sha256.toString('hex'),
    contentType: row.content_type,
    attempt: row.attempt,
    createdAt: row.created_at.toISOString(),
    blobId: row.blob_id,
  };
}
