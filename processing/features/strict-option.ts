import { Type } from 'typebox';

/** `processing.strict` of the jobs that take features. */
export const Strict = Type.Boolean({
  title: 'Strict',
  description:
    'The job fails when a single feature cannot be used, once it has looked at all of them. Otherwise they are set aside, and the job succeeds with the others.',
  default: false,
});
