import type { JobOutput, OutputListQuery } from '@platen/contract/jobs';
import type { Page } from '@platen/contract/schema';
import { sql } from 'kysely';
import type { Context } from '../base/context.ts';
import type { Db } from '../base/database/database.ts';
import { getJob } from './operations.ts';

/** Outputs in a row of job_output_page. */
export const outputsPerPage = 1000;

interface Place {
  readonly projectId: string;
  readonly jobId: string;
}

/** All outputs of a job: its files by key, then its datasources. */
export async function listOutputs(
  context: Context,
  { projectId, jobId }: Place,
  { limit, page }: OutputListQuery,
): Promise<Page<JobOutput>> {
  const { outputItems: outputs, outputFiles } = await getJob(context, projectId, jobId);
  const files = outputs.filter(({ type }) => type === 'object');
  const others = outputs.slice(files.length);
  const count = outputFiles?.count ?? files.length;
  const [from, to] = [page * limit, (page + 1) * limit];
  const isWhole = files.length === count;
  return {
    items: [
      ...(isWhole ? files.slice(from, to) : await readPages(context.db, jobId, { from, to })),
      ...others.slice(Math.max(0, from - count), Math.max(0, to - count)),
    ],
    limit,
    page,
    totalCount: count + others.length,
    totalPages: Math.ceil((count + others.length) / limit),
  };
}

async function readPages(
  db: Db,
  jobId: string,
  { from, to }: { from: number; to: number },
): Promise<JobOutput[]> {
  const first = Math.floor(from / outputsPerPage);
  const { rows } = await sql<{ outputs: JobOutput[] }>`
    select outputs from job_output_page where job_id = ${jobId} and page >= ${first}
      and page <= ${Math.floor((to - 1) / outputsPerPage)} order by page`.execute(db);
  const offset = first * outputsPerPage;
  return rows.flatMap(({ outputs }) => outputs).slice(from - offset, to - offset);
}
