import { Type } from 'typebox';
import type { JobSpec } from '../job-type.ts';

/** Created by the service itself; no task can name it. */
export const inspect = {
  name: 'Inspect',
  folder: 'inspect',
  version: 9,
  title: 'Inspect a file',
  description: 'Inspects a file or folder and suggests what to do with it.',
  options: Type.Object({}),
  reads: 'ranges',
  maxReadBytes: 2 ** 30,
  maxSeconds: 120,
} as const satisfies JobSpec;
