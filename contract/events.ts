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

/** Something in a project has changed: what, not how. */
export const ProjectEvent = Type.Object({
  type: oneOf(eventTypes),
  action: oneOf(['created', 'changed', 'deleted']),
  _id: { ...Id, description: 'Of the resource; of a member the user, of objects their data bucket' },
  revision: Type.Optional(Type.Integer({ description: 'The one that it had by that' })),
  by: Type.Optional(Type.String({ description: 'Absent: not known' })),
  at: Timestamp,
  count: Type.Optional(
    Type.Integer({ description: 'Of objects: how many files; those of one moment are told together' }),
  ),
  taskId: Type.Optional({ ...Id, description: 'Of a job' }),
  state: Type.Optional(oneOf(jobStates)),
});
export type ProjectEvent = Static<typeof ProjectEvent>;

/** How far a running job is. It is not told again to those who were away. */
export const JobProgressEvent = Type.Object({
  _id: Id,
  taskId: Id,
  revision: Type.Integer(),
  progress: JobProgress,
});
export type JobProgressEvent = Static<typeof JobProgressEvent>;

export type JobChange = { readonly [Field in keyof Job]?: Job[Field] | null };

/** What is different in a job from what was told of it before. */
export const JobChange = Type.Unsafe<JobChange>({
  type: 'object',
  description: 'The fields of the job that have changed, each as a whole; null: it has none any more',
});

const EventsQuery = strict({
  lastEventId: Type.Optional(
    Type.String({
      maxLength: 40,
      description: 'For clients that cannot send the header `Last-Event-ID`, which goes before it',
    }),
  ),
});

const resuming =
  'Server-Sent Events, as EventSource in browsers reads them, there with the cookie of the session. ' +
  'Send the id of the last event that you have seen as `Last-Event-ID`, and nothing is missed and nothing told twice. ' +
  'The stream ends with the right to read it.';

export const eventEndpoints = endpoints({
  getProjectEvents: {
    method: 'GET',
    path: '/project/:projectId/events',
    tag: 'events',
    summary: 'Follow what changes in a project',
    description:
      `${resuming} First comes \`ready\`: from then on every change that you may know of is told by \`change\`. ` +
      '`progress` is how far running jobs are, without an id. `reset` in the place of `ready`: your id is older than ' +
      '24 hours or not known, so read anew what you show.',
    access: { permission: 'getProject' },
    query: EventsQuery,
    events: { ready: NoData, reset: NoData, change: ProjectEvent, progress: JobProgressEvent },
    errors: ['too_many_requests'],
  },
  getProjectJobEvents: {
    method: 'GET',
    path: '/project/:projectId/job/:jobId/events',
    tag: 'events',
    summary: 'Follow a job to its end, with its log',
    description:
      `${resuming} \`job\` is the whole job, first and whenever that is simpler, \`change\` what has changed of it since, ` +
      '`log` a line of its log. After the job has ended, and all lines were told, comes `end`, and the stream is over; ' +
      'whoever comes with the id of `end` is answered 204.',
    access: { permission: 'getJob' },
    query: EventsQuery,
    events: { job: Job, change: JobChange, log: JobLogEntry, end: NoData },
    errors: ['too_many_requests'],
  },
});
