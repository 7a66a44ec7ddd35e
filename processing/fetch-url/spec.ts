import { Type } from 'typebox';
import type { JobSpec } from '../job-type.ts';

export const fetchUrl = {
  name: 'FetchUrl',
  folder: 'fetch-url',
  version: 1,
  title: 'Fetch from the web',
  description:
    'Stores a file from an address of the web in a data bucket; by a schedule it keeps the copy up to date.',
  permission: 'uploadToDataBucket',
  storesInputs: true,
  options: Type.Object({
    key: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: 900,
        title: 'Key',
        description:
          'The path of the file in the folder of the output; as the server calls the file when absent.',
      }),
    ),
  }),
} as const satisfies JobSpec;
