import { hostname } from 'node:os';
import { setTimeout as sleep } from 'node:timers/promises';
import { RequestFailed } from '@platen/client/client';
import type { RunnerConfig } from '../config.ts';
import { clientFor, type JobClient } from '../job-client.ts';
import type { Log } from '../log.ts';
import { describeRunner } from './describe.ts';
import { keepIdentity, takeIdentity, type IdentityFile } from './identity.ts';

const longestPauseMs = 10_000;
const goodbyeMs = 3000;

/** A runner that the service knows. */
export interface Registered {
  readonly client: JobClient;
  readonly name: string;
  /** Tells the service, as far as it can be reached, that this runner is gone. */
  readonly goodbye: () => Promise<void>;
}

interface Coming {
  readonly config: RunnerConfig;
  readonly log: Log;
  readonly shutdown: AbortSignal;
}

/**
 * Tells the service who and what this runner is: by the token of its own that it was given or has kept, or else it enrols.
 * Waits for a service that cannot be reached.
 * @throws RequestFailed when no token is of use
 */
export async function comeTo({ config, log, shutdown }: Coming): Promise<Registered> {
  for (let pauseMs = 200; ; pauseMs = Math.min(pauseMs * 2, longestPauseMs)) {
    try {
      return await registered(config);
    } catch (error) {
      const isLasting = error instanceof RequestFailed && error.status < 500 && error.status !== 429;
      if (isLasting || !(error instanceof RequestFailed || error instanceof TypeError)) throw error;
      log('warning', 'the service cannot be reached', { error: String(error), pauseMs });
      await sleep(pauseMs, undefined, { signal: shutdown });
    }
  }
}

async function registered(config: RunnerConfig): Promise<Registered> {
  const { url, token, name, scratchFolder } = config;
  const given = token === undefined ? undefined : await register(config, token);
  if (given) return { ...given, goodbye: () => sayGoodbye(given.client) };
  const former = config.isEmbedded ? undefined : await takeIdentity(scratchFolder, { url, name });
  const known = former && (await register(config, former.identity.token));
  if (known) return { ...known, goodbye: () => leave(known.client, former) };
  await former?.remove();
  const file = await enrol(config);
  const client = clientFor(url, file.identity.token);
  return { client, name: file.identity.name, goodbye: () => leave(client, file) };
}

/** undefined: it is no token of a runner. */
async function register(
  config: RunnerConfig,
  token: string,
): Promise<Pick<Registered, 'client' | 'name'> | undefined> {
  const client = clientFor(config.url, token);
  try {
    const { name } = await client.putRunnerRegistration({ body: describeRunner(config) });
    return { client, name };
  } catch (error) {
    if (error instanceof RequestFailed && error.status === 401) return undefined;
    throw error;
  }
}

async function enrol(config: RunnerConfig): Promise<IdentityFile> {
  const { url, token: enrolmentToken, scratchFolder } = config;
  if (enrolmentToken === undefined)
    throw new Error('This runner has not enrolled yet: set PLATEN_ENROLMENT_TOKEN or PLATEN_RUNNER_TOKEN.');
  const name = config.name ?? `${hostname()} ${process.pid}`;
  const body = { enrolmentToken, name, ...describeRunner(config) };
  const { token } = await clientFor(url).postRunnerEnrol({ body });
  return keepIdentity(scratchFolder, { url, name, token });
}

async function leave(client: JobClient, file: IdentityFile): Promise<void> {
  await Promise.all([sayGoodbye(client), file.letGo()]);
}

async function sayGoodbye(client: JobClient): Promise<void> {
  await client.postRunnerGoodbye({ signal: AbortSignal.timeout(goodbyeMs) }).catch(() => {});
}
