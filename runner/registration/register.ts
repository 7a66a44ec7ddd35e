import { hostname } from 'node:os';
import { setTimeout as sleep } from 'node:timers/promises';
import { RequestFailed } from '@platen/client/client';
import type { RunnerConfig } from '../config.ts';
import { clientFor, type JobClient } from '../job-client.ts';
import type { Log } from '../log.ts';
import { describeRunner } from './describe.ts';
import { storeIdentity, adoptIdentity, type IdentityFile } from './identity.ts';

const maxBackoffMs = 10_000;
const deregisterTimeoutMs = 3000;

/** A runner that is registered with the service. */
export interface Registration {
  readonly client: JobClient;
  readonly name: string;
  /** Deregisters the runner, if the service can be reached. */
  readonly deregister: () => Promise<void>;
}

interface RegistrationOptions {
  readonly config: RunnerConfig;
  readonly log: Log;
  readonly shutdown: AbortSignal;
}

/**
 * Registers the runner by its given or stored token, or enrols it. Retries while the service cannot be reached.
 * @throws RequestFailed if no token is valid
 */
export async function registerRunner({ config, log, shutdown }: RegistrationOptions): Promise<Registration> {
  for (let pauseMs = 200; ; pauseMs = Math.min(pauseMs * 2, maxBackoffMs)) {
    try {
      return await registerOrEnrol(config, shutdown);
    } catch (error) {
      const isLasting = error instanceof RequestFailed && error.status < 500 && error.status !== 429;
      if (isLasting || !(error instanceof RequestFailed || error instanceof TypeError)) throw error;
      log('warning', 'the service cannot be reached, retrying', { error: String(error), pauseMs });
      await sleep(pauseMs, undefined, { signal: shutdown });
    }
  }
}

async function registerOrEnrol(config: RunnerConfig, shutdown: AbortSignal): Promise<Registration> {
  const { url, token, name, scratchFolder } = config;
  const given = token === undefined ? undefined : await register(config, token, shutdown);
  if (given) return { ...given, deregister: () => deregister(given.client) };
  const former = config.isEmbedded ? undefined : await adoptIdentity(scratchFolder, { url, name });
  const known = former && (await register(config, former.identity.token, shutdown));
  if (known) return { ...known, deregister: () => deregisterAndRelease(known.client, former) };
  await former?.remove();
  const file = await enrol(config);
  const client = clientFor(url, file.identity.token);
  return { client, name: file.identity.name, deregister: () => deregisterAndRelease(client, file) };
}

/** @returns undefined if the token is not that of a runner */
async function register(
  config: RunnerConfig,
  token: string,
  signal: AbortSignal,
): Promise<Pick<Registration, 'client' | 'name'> | undefined> {
  const client = clientFor(config.url, token);
  try {
    const { name } = await client.putRunnerRegistration({ body: await describeRunner(config), signal });
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
  const body = { enrolmentToken, name, ...(await describeRunner(config)) };
  const { token } = await clientFor(url).postRunnerEnrol({ body });
  return storeIdentity(scratchFolder, { url, name, token });
}

async function deregisterAndRelease(client: JobClient, file: IdentityFile): Promise<void> {
  await Promise.all([deregister(client), file.release()]);
}

async function deregister(client: JobClient): Promise<void> {
  await client.postRunnerGoodbye({ signal: AbortSignal.timeout(deregisterTimeoutMs) }).catch(() => {});
}
