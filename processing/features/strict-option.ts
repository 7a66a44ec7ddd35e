import { Type } from 'typebox';

/** `processing.strict` of job types that read features. */
export const Strict = Type.Boolean({
  title: 'Strict',
  description:
    'The job fails if any feature cannot be used, after checking all of them. Otherwise such features are rejected and the job succeeds with the others.',
  default: false,
});
