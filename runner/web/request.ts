import http from 'node:http';
import https from 'node:https';
import { JobFailed } from '../job-failed.ts';
import { addressesOf, only, WebTrouble, type Resolve } from './addresses.ts';
import type { WebAccess } from './web-access.ts';

const mostRedirects = 3;
const silenceMs = 10_000;

export interface Asking {
  readonly access: WebAccess;
  readonly signal: AbortSignal;
  readonly headers: Readonly<Record<string, string>>;
  readonly resolve?: Resolve;
}

/**
 * Asks for an address of the web, following at most three redirects, each checked like the first: https unless http is
 * allowed, every address that its name resolves to is allowed, and the one connected to is one of those.
 * @throws JobFailed for what the person who named it must mend, WebTrouble for what may pass
 */
export async function request(address: string, asking: Asking): Promise<http.IncomingMessage> {
  let url = checkUrl(address, asking.access);
  for (let redirects = 0; ; redirects++) {
    const response = await requestOnce(url, asking);
    const { statusCode = 0, headers } = response;
    if (![301, 302, 303, 307, 308].includes(statusCode) || headers.location === undefined) return response;
    response.destroy();
    if (redirects === mostRedirects)
      throw new JobFailed('tooManyRedirects', `“${address}” leads to more than ${mostRedirects} others.`);
    if (!URL.canParse(headers.location, url))
      throw new JobFailed('badUrl', `“${url.href}” leads to “${headers.location}”, which is no address.`);
    url = checkUrl(new URL(headers.location, url).href, asking.access);
  }
}

function checkUrl(address: string, { allowsHttp }: WebAccess): URL {
  const url = URL.canParse(address) ? new URL(address) : undefined;
  if (!url || !/^https?:$/.test(url.protocol))
    throw new JobFailed('badUrl', `“${address}” is no https address.`);
  if (url.username !== '' || url.password !== '')
    throw new JobFailed('badUrl', 'The address must not contain a user name or password.');
  if (url.protocol === 'http:' && !allowsHttp)
    throw new JobFailed(
      'notHttps',
      `“${url.href}” is not https: what comes over http can be changed on its way. The operator can allow it by PLATEN_FETCH_ALLOW=http.`,
    );
  return url;
}

async function requestOnce(url: URL, asking: Asking): Promise<http.IncomingMessage> {
  const { signal, headers } = asking;
  const { access, resolve: resolveName } = asking;
  const addresses = await addressesOf(url.hostname, { access, ...(resolveName && { resolve: resolveName }) });
  const client = url.protocol === 'https:' ? https : http;
  const { promise, resolve, reject } = Promise.withResolvers<http.IncomingMessage>();
  const sent = client.request(url, {
    headers: { 'user-agent': 'Platen', accept: '*/*', 'accept-encoding': 'identity', ...headers },
    agent: false, // a connection of another request went to an address that was checked then, not now
    lookup: only(addresses),
    timeout: silenceMs,
    signal,
  });
  sent.once('timeout', () => sent.destroy(new Error(`nothing came for ${silenceMs / 1000} seconds`)));
  sent.once('response', resolve).once('error', reject).end();
  try {
    const response = await promise;
    response.setTimeout(silenceMs, () => response.destroy(new Error('it fell silent')));
    return response;
  } catch (error) {
    signal.throwIfAborted();
    throw new WebTrouble(`“${url.host}” cannot be reached: ${(error as Error).message}.`, { cause: error });
  }
}
