// Prints contract/openapi.json.
import { readFileSync } from 'node:fs';
import { describeApi } from '@platen/contract/describe';

const { version } = JSON.parse(readFileSync('package.json', 'utf8')) as { version: string };
process.stdout.write(`${JSON.stringify(describeApi(version), null, 2)}\n`);
