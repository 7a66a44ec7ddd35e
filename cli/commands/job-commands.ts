import type { Command } from '../command.ts';
import { projectCommand } from './client-command.ts';

export const followOptions = {
  follow: { help: 'Show states, phases, progress, log lines and warnings until the job has ended' },
  wait: { help: 'Wait until the job has ended' },
};

export const followNotes = `With --follow or --wait, the exit code is 0 if the job succeeds, and 1 if it fails or is cancelled. Ctrl-C stops following; the job
continues. With --json, --follow writes one line for each event: “job” (the whole job), “change” (changed fields), “log”, “end”.`;

const taskList = projectCommand({
  summary: 'List the tasks of a project with the states of their last jobs',
  options: { name: { value: 'text', help: 'Only those whose names contain this text' } },
  notes: 'One line for each: ID, state of the last job, job type and name.',
  load: async () => (await import('../lists/list-tasks.ts')).listTasks,
});

const taskRun = projectCommand({
  summary: 'Run a task now',
  args: [{ name: 'task', help: 'ID or name of the task' }],
  options: followOptions,
  exclusive: ['follow', 'wait'],
  notes: followNotes,
  load: async () => (await import('../jobs/run-task.ts')).runTask,
});

const jobFollow = projectCommand({
  summary: 'Follow a job until it has ended',
  args: [{ name: 'job', help: 'ID of the job' }],
  notes: `The exit code is 0 if the job succeeds, and 1 if it fails or is cancelled. Ctrl-C stops following; the job continues.
With --json: one line for each event, “job” (the whole job), “change” (changed fields), “log”, “end”.`,
  load: async () => (await import('../jobs/follow.ts')).follow,
});

export const jobCommands: Readonly<Record<string, Command>> = {
  'task list': taskList,
  'task run': taskRun,
  'job follow': jobFollow,
};
