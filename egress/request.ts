import type { IncomingMessage } from 'node:http';
import { pinnedLookup, resolveAllowed, type Resolve } from './addresses.ts';
import { EgressError, NetworkError } from './errors.ts';
import type { EgressPolicy } from './policy.ts';

/** An import of them would evaluate all their exports, and load the implementation of `fetch`: 30 ms at each start. */
const [http, https] = [process.getBuiltinModule('node:http'), process.getBuiltinModule('node:https')];

const maxRedirects = 3;
/** Without a byte for this long, the connection is closed. */
const idleTimeoutMs = 10_000;

export interface RequestOptions {
  readonly policy: EgressPolicy;
  readonly signal: AbortSignal;
  readonly headers: Readonly<Record<string, string>>;
  readonly resolve?: Resolve;
}

/**
 * Sends a GET request and follows at most three redirects, each checked like the first: https unless http is allowed,
 * every address that the name resolves to is allowed, and the connection goes to one of these.
 * @throws EgressError if the address is invalid or forbidden, NetworkError if the request can be retried
 */
export async function request(address: string, options: RequestOptions): Promise<IncomingMessage> {
  let url = checkUrl(address, options.policy);
  for (let redirects = 0; ; redirects++) {
    const response = await requestOnce(url, options);
    const { statusCode = 0, headers } = response;
    if (![301, 302, 303, 307, 308].includes(statusCode) || headers.location === undefined) return response;
    response.destroy();
    if (redirects === maxRedirects)
      throw new EgressError('tooManyRedirects', `“${address}” redirects more than ${maxRedirects} times.`);
    if (!URL.canParse(headers.location, url))
      throw new EgressError(
        'badUrl',
        `“${url.href}” redirects to “${headers.location}”, which is not a valid address.`,
      );
    url = checkUrl(new URL(headers.location, url).href, options.policy);
  }
}

function checkUrl(address: string, { allowsHttp }: EgressPolicy): URL {
  const url = URL.canParse(address) ? new URL(address) : undefined;
  if (!url || !/^https?:$/.test(url.protocol))
    throw new EgressError('badUrl', `“${address}” is not an https address.`);
  if (url.username !== '' || url.password !== '')
    throw new EgressError('badUrl', 'The address must not contain a user name or password.');
  if (url.protocol === 'http:' && !allowsHttp)
    throw new EgressError(
      'notHttps',
      `“${url.href}” is not https: data sent over http can be changed on the way. The operator can allow it by PLATEN_FETCH_ALLOW=http.`,
    );
  return url;
}

async function requestOnce(url: URL, options: RequestOptions): Promise<IncomingMessage> {
  const { policy, signal, headers, resolve: resolveName } = options;
  const addresses = await resolveAllowed(url.hostname, {
    policy,
    ...(resolveName && { resolve: resolveName }),
  });
  const client = url.protocol === 'https:' ? https : http;
  const { promise, resolve, reject } = Promise.withResolvers<IncomingMessage>();
  const sent = client.request(url, {
    headers: { 'user-agent': 'Platen', accept: '*/*', 'accept-encoding': 'identity', ...headers },
    agent: false, // a pooled connection goes to an address that an earlier request checked
    lookup: pinnedLookup(addresses),
    timeout: idleTimeoutMs,
    signal,
  });
  sent.once('timeout', () => sent.destroy(new Error(`no response within ${idleTimeoutMs / 1000} seconds`)));
  sent.once('response', resolve).once('error', reject).end();
  try {
    const response = await promise;
    response.setTimeout(idleTimeoutMs, () =>
      response.destroy(new Error(`no data for ${idleTimeoutMs / 1000} seconds`)),
    );
    return response;
  } catch (error) {
    signal.throwIfAborted();
    throw new NetworkError(`“${url.host}” cannot be reached: ${(error as Error).message}.`, { cause: error });
  }
}
