import type { Db } from '../base/database/database.ts';
import { Hook } from '../base/hook.ts';
import type { JobParameters } from './types/check-parameters.ts';

interface TaskChange {
  readonly projectId: string;
  readonly taskId: string;
  readonly by: string;
  readonly now: Date;
}

/** The parameters of a task were written, in the same transaction. */
export const taskWritten = new Hook<[tx: Db, task: TaskChange, parameters: JobParameters]>();

/** A task went to the trash, in the same transaction. */
export const taskRemoved = new Hook<[tx: Db, task: TaskChange]>();
