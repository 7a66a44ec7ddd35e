import { Type } from 'typebox';
import type { TaskSpec } from '../job-type.ts';

export const checkRunner = {
  name: 'CheckRunner',
  folder: 'check-runner',
  version: 1,
  title: 'Check a runner',
  description: 'Tells what a job has where it runs. It reads nothing and makes nothing.',
  permission: 'abortJob',
  reads: 'nothing',
  phases: { stay: 'seconds' },
  foretells: true,
  options: Type.Object({
    seconds: Type.Optional(
      Type.Number({
        minimum: 0,
        maximum: 86_400,
        title: 'Seconds',
        description: 'Stays that long, and tells its progress.',
        default: 0,
      }),
    ),
    lines: Type.Optional(
      Type.Integer({
        minimum: 0,
        maximum: 100_000,
        title: 'Lines',
        description: 'Writes that many lines into its log.',
        default: 0,
      }),
    ),
    fail: Type.Optional(
      Type.String({
        pattern: '^[a-z][A-Za-z0-9]{0,99}$',
        title: 'Fail',
        description: 'Fails in the end, with this code.',
      }),
    ),
  }),
} as const satisfies TaskSpec;
