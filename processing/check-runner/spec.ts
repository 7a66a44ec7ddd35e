import { Type } from 'typebox';
import type { TaskSpec } from '../job-type.ts';

export const checkRunner = {
  name: 'CheckRunner',
  folder: 'check-runner',
  version: 1,
  title: 'Check a runner',
  description: 'Reports the resources a job has on the runner. Reads and creates nothing.',
  permission: 'abortJob',
  purpose: 'care',
  icon: 'Stethoscope',
  reads: 'nothing',
  phases: { stay: { unit: 'seconds', share: 1 } },
  options: Type.Object({
    seconds: Type.Optional(
      Type.Number({
        minimum: 0,
        maximum: 86_400,
        title: 'Seconds',
        description: 'Runs for this long and reports progress.',
        default: 0,
      }),
    ),
    lines: Type.Optional(
      Type.Integer({
        minimum: 0,
        maximum: 100_000,
        title: 'Lines',
        description: 'Writes this many log lines.',
        default: 0,
      }),
    ),
    fail: Type.Optional(
      Type.String({
        pattern: '^[a-z][A-Za-z0-9]{0,99}$',
        title: 'Fail',
        description: 'Fails at the end with this code.',
      }),
    ),
  }),
} as const satisfies TaskSpec;
