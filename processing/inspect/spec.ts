import { Type } from 'typebox';
import { Bbox } from '@platen/contract/schema';
import type { JobSpec } from '../job-type.ts';

/** Created by the service itself; no task can name it. */
export const inspect = {
  name: 'Inspect',
  folder: 'inspect',
  version: 10,
  title: 'Inspect a file',
  description: 'Inspects a file or folder and suggests what to do with it.',
  options: Type.Object({ area: Type.Optional(Bbox) }),
  reads: 'ranges',
  maxReadBytes: 2 ** 30,
  maxSeconds: 120,
} as const satisfies JobSpec;
