import { Type } from 'typebox';

/** Options under `processing` of job types that run in several threads; see `memory-plan.ts`. */
export const threadOptions = {
  memoryMegabytes: Type.Optional(
    Type.Integer({
      minimum: 256,
      maximum: 65_536,
      title: 'Memory',
      description: 'Total for all workers. Larger data uses temporary files.',
      default: 1024,
      'x-unit': 'MB',
      'x-level': 'advanced',
    }),
  ),
  workers: Type.Optional(
    Type.Integer({
      minimum: 1,
      maximum: 256,
      title: 'Workers',
      description: 'Number of threads; default: one per processor core, fewer if memory is short.',
      'x-level': 'advanced',
    }),
  ),
};
