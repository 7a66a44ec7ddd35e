import { mkdir, realpath, statfs } from 'node:fs/promises';
import { claimJobs } from './claim.ts';
import { readConfig, serviceOf, tokenVariables } from './config.ts';
import { logToStderr as log } from './log.ts';
import { prepareJobCode } from './job-code/job-code.ts';
import { registerRunner } from './registration/register.ts';
import { logConfinement } from './job-confinement.ts';
import { startScratchCleaner } from './scratch/sweep-scratch.ts';

const shutdown = new AbortController();
try {
  const settings = await readConfig(process.env, process.argv.slice(2), process.stdin);
  for (const name of tokenVariables) delete process.env[name];
  for (const signal of ['SIGTERM', 'SIGINT'] as const) process.on(signal, () => shutdown.abort());
  if (settings.isEmbedded) endWithService();
  const scratchFolder = await prepareScratch(settings.scratchFolder);
  const config = { ...(await usualScratch(scratchFolder)), ...settings, scratchFolder };
  const jobCode = prepareJobCode(scratchFolder, log);
  await logConfinement(scratchFolder, log);
  const { client, name, deregister } = await registerRunner({ config, log, shutdown: shutdown.signal });
  await startScratchCleaner({ root: scratchFolder, service: serviceOf(config), client, log });
  log('info', 'the runner is ready', { name, url: config.url });
  await claimJobs({ config: { ...config, name }, client, log, shutdown: shutdown.signal, jobCode });
  await deregister();
  process.exit(0);
} catch (error) {
  if (shutdown.signal.aborted) process.exit(0); // what was interrupted fails
  log('error', `the runner stops: ${(error as Error).message}`);
  process.exit(1);
}

/** The service keeps our standard input open while it lives. Child processes end with this one. */
function endWithService(): void {
  process.stdin.on('close', () => process.exit(1)).on('end', () => process.exit(1));
  process.stdin.resume();
}

async function prepareScratch(folder: string): Promise<string> {
  await mkdir(folder, { recursive: true, mode: 0o700 });
  return realpath(folder); // permissions of job processes do not follow links
}

/** The default disk limit of a job: half of the free space at the start. */
async function usualScratch(folder: string): Promise<{ scratchMegabytes: number }> {
  const { bavail, bsize } = await statfs(folder);
  return { scratchMegabytes: Math.max(1, Math.floor((bavail * bsize) / 2 ** 21)) };
}
