import { Type, type Static } from 'typebox';
import { endpoints } from './endpoint.ts';
import { oneOf, strict, Timestamp } from './schema.ts';

export const scheduleTypes = ['immediate', 'scheduled', 'cron'] as const;

/**
 * When the jobs of a task run: `immediate` once, as soon as a runner is free; `scheduled` once at a given time (at
 * once if it is past); `cron` repeatedly, not before `scheduled` if given.
 */
export const Schedule = strict({
  type: oneOf(scheduleTypes),
  scheduled: Type.Optional(Timestamp),
  cron: Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: 200,
      description:
        'Cron expression with 5 fields, or 6 with leading seconds, in local time of the time zone. With fixed hours, each time occurs once a day: times skipped by a clock change run at the end of the gap, repeated times run at the first occurrence. With * or steps in the hour field, it runs at every matching local time.',
    }),
  ),
  suspended: Type.Optional(Type.Boolean({ description: 'Paused; for scheduled and cron' })),
  timezone: Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: 64,
      description: 'IANA name such as Europe/Berlin; default UTC',
    }),
  ),
  overlap: Type.Optional(
    oneOf(
      ['skip', 'queue'],
      'What happens to a cron run while a job of the task has not ended: skip (default), or queue, which holds up to 100 runs until that job has ended',
    ),
  ),
});
export type Schedule = Static<typeof Schedule>;

const { scheduled, cron, suspended, timezone, overlap } = Schedule.properties;

/** Schedules by type, with the fields that have an effect. Others are kept, except `overlap`, which only cron takes. */
export const ImmediateSchedule = Type.Object({ type: oneOf(['immediate']) });
export const SingleSchedule = Type.Object({
  type: oneOf(['scheduled']),
  scheduled: { ...Timestamp, description: 'Time of the run; at once if it is past' },
  suspended,
  timezone,
});
export const CronSchedule = Type.Object({
  type: oneOf(['cron']),
  cron: Type.Required(Type.Object({ cron })).properties.cron,
  scheduled,
  suspended,
  timezone,
  overlap,
});

export const nextRuns = Type.Array(Timestamp, { description: 'Up to three, next one first' });

export const SchedulePreview = strict({
  schedule: Schedule,
  from: Type.Optional({ ...Timestamp, description: 'Time at which the task would be saved; default: now' }),
});
export type SchedulePreview = Static<typeof SchedulePreview>;

export const ScheduleRuns = Type.Object({ nextRuns });
export type ScheduleRuns = Static<typeof ScheduleRuns>;

export const scheduleEndpoints = endpoints({
  postSchedulePreview: {
    method: 'POST',
    path: '/schedule-preview',
    tag: 'tasks',
    summary: 'Validate a schedule and preview its next runs',
    description:
      'Refuses what creating the task would refuse. A run that is due immediately is returned as `from`.',
    access: 'user',
    accessTokens: 'any',
    body: SchedulePreview,
    reply: ScheduleRuns,
  },
});
