import { Type } from 'typebox';
import type { JobSpec } from '../job-type.ts';

/** The service asks for it by itself: no task can name it. */
export const inspect = {
  name: 'Inspect',
  folder: 'inspect',
  version: 3,
  title: 'Inspection',
  description: 'Inspects a file or folder and suggests what to do with it.',
  options: Type.Object({}),
  reads: 'pieces',
  longestSeconds: 120,
} as const satisfies JobSpec;
