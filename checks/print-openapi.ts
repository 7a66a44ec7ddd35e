// Prints contract/openapi.json.
import { readFileSync } from 'node:fs';
import { describeApi } from '@platen/contract/describe';
import type { Examples } from '@platen/contract/examples';
import { describeParameters } from '../server/jobs/types/describe-parameters.ts';

const { version } = JSON.parse(readFileSync('package.json', 'utf8')) as { version: string };
const examples = JSON.parse(readFileSync('contract/examples.json', 'utf8')) as Examples;
process.stdout.write(
  `${JSON.stringify(describeApi(version, { parameters: describeParameters(), examples }), null, 2)}\n`,
);
