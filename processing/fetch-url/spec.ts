import { Type } from 'typebox';
import type { TaskSpec } from '../job-type.ts';

export const fetchUrl = {
  name: 'FetchUrl',
  folder: 'fetch-url',
  version: 1,
  title: 'Fetch a file from the web',
  description:
    'Stores a file from a web address in a data bucket; with a schedule, the copy is kept up to date.',
  permission: 'uploadToDataBucket',
  purpose: 'fetch',
  icon: 'Globe',
  storesInputs: true,
  options: Type.Object({
    key: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: 900,
        title: 'Key',
        description: 'Path of the file in the output folder; default: the name given by the server.',
      }),
    ),
  }),
} as const satisfies TaskSpec;
