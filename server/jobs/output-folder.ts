import type { Db } from '../base/database/database.ts';
import { jobsFolder } from '../files/objects/jobs-folder.ts';

const maxNameLength = 60;
/** A segment of a key has 255 at most, and the ID of the job follows. */
const maxNameBytes = 200;

/**
 * The folder for the files of a job whose task names none. It begins with the name of the task, so that people see what
 * they have, and ends with the ID of the job, so that no two share it.
 */
export async function outputFolderOf(db: Db, jobId: string): Promise<string> {
  const job = await db
    .selectFrom('job as j')
    .leftJoin('task as t', 't.id', 'j.task_id')
    .select(['t.name', 'j.job_type', 'j.output_files'])
    .where('j.id', '=', jobId)
    .executeTakeFirst();
  const folder = job?.output_files?.folder; // the task may have been renamed since
  if (folder?.startsWith(jobsFolder)) return folder;
  const name = job?.name ?? job?.job_type ?? '';
  return `${jobsFolder}${[wordsOf(name), jobId].filter(Boolean).join('-')}/`;
}

/** The letters and digits of a name, in any script, which need no escaping in most programs. */
function wordsOf(name: string): string {
  const words = name.normalize('NFC').match(/[\p{L}\p{M}\p{N}]+/gu) ?? [];
  let bytes = 0;
  const fitting = Array.from(words.join('-'))
    .slice(0, maxNameLength)
    .filter((letter) => (bytes += Buffer.byteLength(letter)) <= maxNameBytes);
  return fitting.join('').replace(/-$/, '');
}
