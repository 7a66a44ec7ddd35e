import assert from 'node:assert/strict';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { TestService } from '../testing.ts';
import { startEmbeddedRunners, type EmbeddedRunners } from './runners/embedded-runners.ts';
import { isRunnerThere } from './inspect/operations.ts';

const patienceMs = 60_000;

/** Starts a runner for a service that listens, and waits until jobs can be given to it. Stop it before the service. */
export async function startRunner(
  { app, context, dataFolder }: TestService,
  options: { readonly fetchAllow?: string } = {},
): Promise<EmbeddedRunners> {
  const { port } = app.server.address() as AddressInfo;
  const runners = await startEmbeddedRunners(context, {
    count: 1,
    url: `http://127.0.0.1:${port}`,
    scratchFolder: join(dataFolder, 'scratch'),
    ...options,
  });
  for (const start = performance.now(); !(await isRunnerThere(context)); await sleep(20))
    assert.ok(performance.now() - start < patienceMs, 'the runner comes online');
  return runners;
}
