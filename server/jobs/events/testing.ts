import assert from 'node:assert/strict';
import { get, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { createClient } from '@platen/client/client';
import { apiEndpoints } from '@platen/contract/api';
import type { ApiClient, TestService } from '../../testing.ts';
import { afterFile } from '../../../checks/clean-up.ts';

/** The service behind a real socket: streams have no end that an injected request could wait for. */
export async function listening({
  app,
}: TestService): Promise<{ url: string; as(token: string): ApiClient }> {
  await app.listen({ host: '127.0.0.1', port: 0 });
  const url = `http://127.0.0.1:${(app.server.address() as AddressInfo).port}`;
  return { url, as: (token) => createClient(apiEndpoints, { baseUrl: url, token }) };
}

interface Heard<E> {
  readonly events: E[];
  /** How the stream ended; undefined while it goes on. */
  readonly outcome: { readonly error?: unknown } | undefined;
  /** Waits for what the events so far must have. */
  until(isThere: (events: E[]) => boolean, what: string): Promise<void>;
  ended(withinMs?: number): Promise<void>;
  stop(): void;
}

const patienceMs = 10_000;

/** Reads a stream in the background, until the test ends or it is stopped. */
export function hear<E>(open: (signal: AbortSignal) => AsyncIterable<E>): Heard<E> {
  const stopping = new AbortController();
  const events: E[] = [];
  let outcome: { error?: unknown } | undefined;
  const read = async () => {
    for await (const event of open(stopping.signal)) events.push(event);
  };
  read().then(
    () => (outcome = {}),
    (error: unknown) => (outcome = { error }),
  );
  const stop = () => stopping.abort();
  afterFile(stop);
  const wait = async (isThere: () => boolean, what: () => string, ms = patienceMs) => {
    for (const start = performance.now(); !isThere(); await sleep(5))
      assert.ok(performance.now() - start < ms, `${what()}: ${JSON.stringify(events.slice(-20))}`);
  };
  return {
    events,
    get outcome() {
      return outcome;
    },
    until: (isThere, what) =>
      wait(
        () => isThere(events),
        () => what,
      ),
    ended: (ms) =>
      wait(
        () => outcome !== undefined,
        () => 'it ends',
        ms,
      ),
    stop,
  };
}

/** The bare reply to a GET, for clients that leave off reading, or do not come again. */
export function openReply(url: string, headers: Readonly<Record<string, string>>): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => {
    const request = get(url, { headers, agent: false }, (reply) => {
      reply.on('error', () => {});
      resolve(reply);
    }).on('error', reject);
    afterFile(() => request.destroy());
  });
}
