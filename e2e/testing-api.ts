import assert from 'node:assert/strict';
import { setTimeout as sleep } from 'node:timers/promises';
import { createClient, type Client } from '@platen/client/client';
import { apiEndpoints } from '@platen/contract/api';
import { adminPassword } from './processes.ts';
import type { Cluster } from './testing-cluster.ts';

export type Api = Client<typeof apiEndpoints>;

/** One client for each service. */
export async function signIn({ urls }: Cluster): Promise<Api[]> {
  const clients: Api[] = [];
  for (const baseUrl of urls) {
    const anonymous = createClient(apiEndpoints, { baseUrl });
    const { token } = await anonymous.postLogin({ body: { username: 'admin', password: adminPassword } });
    clients.push(createClient(apiEndpoints, { baseUrl, token }));
  }
  return clients;
}

/** Retries like a client, at the other service while one is down. */
export async function untilDone<T>(ask: (api: Api) => Promise<T>, api: readonly Api[]): Promise<T> {
  for (let tries = 0; ; tries++) {
    try {
      return await ask(api[tries % api.length]!);
    } catch (error) {
      const { status } = error as { status?: number };
      if ((status !== undefined && status !== 503 && status !== 500) || tries > 300) throw error;
      assert.notEqual(status, 500, 'a fault is reported as 503');
      await sleep(100);
    }
  }
}
