import { Type, type Static } from 'typebox';
import { endpoints } from './endpoint.ts';
import { oneOf, strict, Timestamp } from './schema.ts';

export const scheduleTypes = ['immediate', 'scheduled', 'cron'] as const;

/**
 * When a task's jobs run: `immediate` once, as soon as a runner is free; `scheduled` once at an instant (at once when
 * it is past); `cron` again and again, not before `scheduled` where that is given.
 */
export const Schedule = strict({
  type: oneOf(scheduleTypes),
  scheduled: Type.Optional(Timestamp),
  cron: Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: 200,
      description:
        '5 fields, or 6 with seconds in front, by the clocks of the time zone. Where it names hours, each of its times comes once a day: those that the clock jumps over at the end of the gap, those that it shows twice at the first. With * or steps for the hour it runs whenever the clock shows what it names.',
    }),
  ),
  suspended: Type.Optional(Type.Boolean({ description: 'It rests: scheduled and cron' })),
  timezone: Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: 64,
      description: 'IANA name such as Europe/Berlin; UTC if absent',
    }),
  ),
  overlap: Type.Optional(
    oneOf(
      ['skip', 'queue'],
      'What becomes of a run of cron while a job of the task has not ended: left out (skip, if absent), or held until that job has ended, up to 100 of them (queue)',
    ),
  ),
});
export type Schedule = Static<typeof Schedule>;

export const nextRuns = Type.Array(Timestamp, { description: 'Up to three, the next one first' });

export const SchedulePreview = strict({
  schedule: Schedule,
  from: Type.Optional({ ...Timestamp, description: 'When the task would be saved; now if absent' }),
});
export type SchedulePreview = Static<typeof SchedulePreview>;

export const ScheduleRuns = Type.Object({ nextRuns });
export type ScheduleRuns = Static<typeof ScheduleRuns>;

export const scheduleEndpoints = endpoints({
  postSchedulePreview: {
    method: 'POST',
    path: '/schedule-preview',
    tag: 'tasks',
    summary: 'Tell when a task of this schedule would run, and whether the schedule can be used',
    description:
      'It refuses what creating the task would refuse. A run that is due at once is told as `from`.',
    access: 'user',
    body: SchedulePreview,
    reply: ScheduleRuns,
  },
});
