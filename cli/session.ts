import { createClient, type Client } from '@platen/client/client';
import { apiEndpoints } from '@platen/contract/api';
import { readAccounts } from './accounts/credentials.ts';
import type { Invocation } from './command.ts';
import { CommandFailure, unreachable } from './failures.ts';
import { UsageError } from './read-command-line.ts';
import { serviceUrl } from './service-url.ts';

export type ApiClient = Client<typeof apiEndpoints>;

export interface Session {
  /** Address of the service. */
  readonly url: string;
  readonly token: string;
  readonly api: ApiClient;
  /** `fetch` with errors for users. */
  readonly send: typeof fetch;
}

/** @throws CommandFailure if there is no token for the service */
export async function openSession({ option, values, terminal: { env } }: Invocation): Promise<Session> {
  const given = option('url');
  const variable = env['PLATEN_TOKEN'];
  if (variable !== undefined && variable !== '') {
    if (given === undefined)
      throw new UsageError('PLATEN_TOKEN needs the address of its service: set PLATEN_URL, or use --url.');
    const url = serviceUrl(given);
    const own = env['PLATEN_URL'];
    // a token is sent only to the service that it is for
    if (!values.has('url') || !own || serviceUrl(own) === url) return sessionAt(url, variable.trim());
  }
  const { default: main, services } = await readAccounts(env);
  const url = given === undefined ? main : serviceUrl(given);
  if (url === undefined)
    throw new CommandFailure('refused', 'You are not signed in. Run: platen login --url https://…');
  const account = Object.hasOwn(services, url) ? services[url] : undefined;
  if (!account)
    throw new CommandFailure('refused', `You are not signed in to ${url}. Run: platen login --url ${url}`);
  return sessionAt(url, account.token);
}

export function sessionAt(url: string, token: string): Session {
  const send = sendTo(url);
  return { url, token, send, api: createClient(apiEndpoints, { baseUrl: url, token, send }) };
}

/** A client that is not signed in. */
export function anonymousApi(url: string): ApiClient {
  return createClient(apiEndpoints, { baseUrl: url, send: sendTo(url) });
}

/** Redirects are not followed, as they could lead a token or a password elsewhere. */
function sendTo(url: string): typeof fetch {
  return async (input, init) => {
    const headers = { 'user-agent': 'platen-cli', ...(init?.headers as Record<string, string>) };
    const response = await fetch(input, { ...init, headers, redirect: 'manual' }).catch((error: unknown) => {
      const isTimeout = (error as Error).name === 'TimeoutError';
      throw init?.signal?.aborted && !isTimeout ? error : unreachable(url, error);
    });
    const isRedirect = response.status >= 300 && response.status < 400 && response.status !== 304;
    if (isRedirect)
      throw new CommandFailure(
        'failed',
        `${url} redirects to ${response.headers.get('location') ?? 'another address'}. Use the address that it redirects to.`,
      );
    const isPage = response.headers.get('content-type')?.startsWith('text/html') === true;
    if (isPage) throw new CommandFailure('failed', `What answers at ${url} is not a Platen service.`);
    return response;
  };
}
