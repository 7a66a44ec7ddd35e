import { Type, type Static } from 'typebox';
import { endpoints } from './endpoint.ts';
import { Job, JobLogEntry, JobProgress, jobStates } from './jobs.ts';
import { Id, oneOf, strict, Timestamp } from './schema.ts';

const NoData = Type.Object({});

const eventTypes = [
  'project',
  'member',
  'data-bucket',
  'objects',
  'datasource',
  'task',
  'job',
  'module',
  'app',
  'release',
  'scenario',
  'credential',
] as const;

/** A change in a project: names the changed resource, not its content. */
export const ProjectEvent = Type.Object({
  type: oneOf(eventTypes),
  action: oneOf(['created', 'changed', 'deleted']),
  _id: { ...Id, description: 'ID of the resource; for members the user, for objects their data bucket' },
  revision: Type.Optional(Type.Integer({ description: 'The revision that resulted from the change' })),
  by: Type.Optional(Type.String({ description: 'User who made the change; absent if unknown' })),
  at: Timestamp,
  count: Type.Optional(
    Type.Integer({
      description: 'Objects: number of files; changes made at the same time are reported together',
    }),
  ),
  taskId: Type.Optional({ ...Id, description: 'Task of the job' }),
  state: Type.Optional(oneOf(jobStates)),
});
export type ProjectEvent = Static<typeof ProjectEvent>;

/** Progress of a running job. Missed progress events are not replayed. */
export const JobProgressEvent = Type.Object({
  _id: Id,
  taskId: Id,
  revision: Type.Integer(),
  progress: JobProgress,
});
export type JobProgressEvent = Static<typeof JobProgressEvent>;

export type JobChange = { readonly [Field in keyof Job]?: Job[Field] | null };

/** The fields of a job that differ from the previous event. */
export const JobChange = Type.Unsafe<JobChange>({
  type: 'object',
  description: 'Changed fields of the job with their full new values; null: the field was removed',
});

const EventsQuery = strict({
  lastEventId: Type.Optional(
    Type.String({
      maxLength: 40,
      description: 'For clients that cannot send the header `Last-Event-ID`; the header takes precedence',
    }),
  ),
});

const resuming =
  'Server-Sent Events, readable by EventSource in browsers with the session cookie. Send the ID of the last event you received as `Last-Event-ID` to resume without gaps or duplicates. The stream ends when you lose access.';

export const eventEndpoints = endpoints({
  getProjectEvents: {
    method: 'GET',
    path: '/project/:projectId/events',
    tag: 'events',
    summary: 'Subscribe to changes in a project',
    description: `${resuming} The first event is \`ready\`; from then on every change you may see is sent as \`change\`. \`progress\` reports the progress of running jobs and has no ID. \`reset\` instead of \`ready\` means that your ID is unknown or older than 24 hours: reload what you show.`,
    access: { permission: 'getProject' },
    query: EventsQuery,
    events: { ready: NoData, reset: NoData, change: ProjectEvent, progress: JobProgressEvent },
    errors: ['too_many_requests'],
  },
  getProjectJobEvents: {
    method: 'GET',
    path: '/project/:projectId/job/:jobId/events',
    tag: 'events',
    summary: 'Subscribe to a job and its log until it ends',
    description: `${resuming} \`job\` is the whole job, sent first and whenever that is simpler; \`change\` contains the changed fields; \`log\` is a line of the log. When the job has ended and all lines were sent, \`end\` follows and the stream closes. Requests with the ID of \`end\` are answered with 204.`,
    access: { permission: 'getJob' },
    query: EventsQuery,
    events: { job: Job, change: JobChange, log: JobLogEntry, end: NoData },
    errors: ['too_many_requests'],
  },
});
