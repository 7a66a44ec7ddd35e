// Runs one publishing job until somebody kills it: the address of the service, its job and the folder come as arguments.
import type { ClaimedJob } from '@platen/contract/runner';
import { clientFor } from '../job-client.ts';
import { logToStderr as log } from '../log.ts';
import { openAccess } from '../destinations/testing.ts';
import { runTransfer } from './run-transfer.ts';

const [url = '', text = '', publishFolder] = process.argv.slice(2);
const job = JSON.parse(text) as ClaimedJob;
const client = clientFor(url, job.token);
const shutdown = new AbortController().signal;
await runTransfer({
  client,
  job,
  runnerName: 'killed',
  log,
  shutdown,
  egressPolicy: openAccess,
  publishFolder,
});
process.exit(0);
