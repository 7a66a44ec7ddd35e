import { Type, type Static } from 'typebox';
import { endpoints } from './endpoint.ts';
import { Job } from './jobs.ts';
import { strict } from './schema.ts';
import { NewTask, TaskWithJob } from './tasks.ts';

const { labels, priority, debugLevel, parameters } = NewTask.properties;

/** Overrides for a single run. */
export const RunChange = strict({ parameters: Type.Optional(parameters), labels, priority, debugLevel });
export type RunChange = Static<typeof RunChange>;

const tag = 'tasks';
const errors = ['unusable_reference', 'unprocessable'] as const;

/** Maximum time one request waits for the end of a job. */
const maxWaitSeconds = 300;

export const taskRunEndpoints = endpoints({
  postProjectTaskRun: {
    method: 'POST',
    path: '/project/:projectId/task/:taskId/run',
    tag,
    summary: 'Run a task now, whatever its schedule',
    description:
      'The body is optional. Its values apply to this job only and do not change the task; parameters are merged as with PUT. Requires the permission of the job type. The job does not wait for other jobs of the task.',
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
    summary: 'Run a job again with the same parameters',
    description:
      'Creates a new job of the same task, whose `repeats` is this job. The body is optional; its values override those of the job, and parameters are merged. Requires the permission of the job type. Inspections have no task: 409.',
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
    summary: 'Create a task, run it immediately and wait for its end',
    description:
      'The body is a new task with an immediate schedule. 200: the job has ended; `lastJob` has the outcome. 202: it is still running. Closing the connection does not cancel the job. Repeating the request with the same Idempotency-Key creates nothing and waits again.',
    access: { permission: 'getProject' },
    query: strict({
      waitSeconds: Type.Number({ minimum: 0, maximum: maxWaitSeconds, default: 60 }),
    }),
    body: NewTask,
    bodyLimit: 'freeForm',
    reply: TaskWithJob,
    alsoStatus: { status: 202, reply: TaskWithJob },
    waits: true,
    errors: ['conflict', ...errors],
  },
});
