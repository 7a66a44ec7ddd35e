import { Type, type Static } from 'typebox';
import { endpoints } from './endpoint.ts';
import { Job } from './jobs.ts';
import { strict } from './schema.ts';
import { NewTask, TaskWithJob } from './tasks.ts';

const { labels, priority, debugLevel, parameters } = NewTask.properties;

/** What is different in this one run. */
export const RunChange = strict({ parameters: Type.Optional(parameters), labels, priority, debugLevel });
export type RunChange = Static<typeof RunChange>;

const tag = 'tasks';
const errors = ['unusable_reference', 'unprocessable'] as const;

/** As long as somebody may wait for the end of a job in one request. */
const longestWaitSeconds = 300;

export const taskRunEndpoints = endpoints({
  postProjectTaskRun: {
    method: 'POST',
    path: '/project/:projectId/task/:taskId/run',
    tag,
    summary: 'Run a task now, whatever its schedule',
    description:
      'The body may be left out. What it names is for this one job, and leaves the task as it is: parameters are merged as PUT does. Needs the permission of the job type’s family. It does not wait for other jobs of the task.',
    access: { permission: 'getProject' },
    body: RunChange,
    optionalBody: true,
    reply: Job,
    status: 201,
    errors,
  },
  postProjectJobRun: {
    method: 'POST',
    path: '/project/:projectId/job/:jobId/run',
    tag: 'jobs',
    summary: 'Run a job again, with the parameters that it had',
    description:
      'A new job of the same task, whose `repeats` names this one. The body may be left out; what it names is different this time, and parameters are merged. Needs the permission of the job type’s family. An inspection has no task: 409.',
    access: { permission: 'getJob' },
    body: RunChange,
    optionalBody: true,
    reply: Job,
    status: 201,
    errors: ['conflict', ...errors],
  },
  postProjectTaskSync: {
    method: 'POST',
    path: '/project/:projectId/task/sync',
    tag,
    summary: 'Create a task, run it at once and wait for the end',
    description:
      'The body is that of a new task, whose schedule is immediate. 200: its job has ended, well or not, as `lastJob` tells; 202: it is still going on. Who hangs up ends the waiting, not the job. A request that is sent again with its Idempotency-Key creates nothing, and waits again.',
    access: { permission: 'getProject' },
    query: strict({
      waitSeconds: Type.Number({ minimum: 0, maximum: longestWaitSeconds, default: 60 }),
    }),
    body: NewTask,
    reply: TaskWithJob,
    alsoStatus: { status: 202, reply: TaskWithJob },
    waits: true,
    errors: ['conflict', ...errors],
  },
});
