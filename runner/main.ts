import { mkdir, readdir, realpath, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { claimJobs } from './claim.ts';
import { readConfig, type RunnerConfig } from './config.ts';
import { clientFor } from './job-client.ts';
import { logToStderr as log } from './log.ts';

const version = '0.1.0';

try {
  const config = await readConfig(process.env, process.argv.slice(2), process.stdin);
  const shutdown = new AbortController();
  for (const signal of ['SIGTERM', 'SIGINT'] as const) process.on(signal, () => shutdown.abort());
  if (config.isEmbedded) endWithService();
  const scratchFolder = await prepareScratch(config.scratchFolder);
  const client = clientFor(config.url, config.token ?? (await enrol(config)));
  log('info', 'the runner is ready', { name: config.name, url: config.url });
  await claimJobs({ config: { ...config, scratchFolder }, client, log, shutdown: shutdown.signal });
  process.exit(0);
} catch (error) {
  log('error', `the runner ends: ${(error as Error).message}`);
  process.exit(1);
}

/** The service holds our standard input open for as long as it lives. Children end when this process does. */
function endWithService(): void {
  process.stdin.on('close', () => process.exit(1)).on('end', () => process.exit(1));
  process.stdin.resume();
}

async function enrol({ url, enrolmentToken = '', name, labels }: RunnerConfig): Promise<string> {
  const body = { enrolmentToken, name, labels: [...labels], version };
  return (await clientFor(url).postRunnerEnrol({ body })).token;
}

/** Removes what runners left there that were killed. */
async function prepareScratch(folder: string): Promise<string> {
  await mkdir(folder, { recursive: true, mode: 0o700 });
  for (const name of await readdir(folder)) {
    const pid = /^job-(\d+)-/.exec(name)?.[1];
    if (pid !== undefined && !isAlive(Number(pid)))
      await rm(join(folder, name), { recursive: true, force: true });
  }
  return realpath(folder); // jobs may read below it, and permissions know no links
}

function isAlive(pid: number): boolean {
  if (pid === process.pid) return false;
  try {
    return process.kill(pid, 0);
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}
