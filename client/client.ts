import {
  apiPrefix,
  type BodyOf,
  type Endpoint,
  type Endpoints,
  type EventOf,
  type ParamsOf,
  type QueryOf,
  type ReplyOf,
} from '@platen/contract/endpoint';
import type { Problem, ProblemDetail } from '@platen/contract/error';
import { followEvents } from './events.ts';

type Query<E extends Endpoint> = E extends { query: object }
  ? { readonly query?: Partial<QueryOf<E>> }
  : unknown;

type Body<E extends Endpoint> = E['bodyKind'] extends 'multipart'
  ? { readonly body: FormData }
  : E['bodyKind'] extends 'bytes'
    ? { readonly body: BodyInit }
    : E extends { optionalBody: true }
      ? { readonly body?: BodyOf<E> }
      : E extends { body: object }
        ? { readonly body: BodyOf<E> }
        : unknown;

type Params<E extends Endpoint> = keyof ParamsOf<E> extends never
  ? unknown
  : { readonly params: ParamsOf<E> };

export type ClientRequest<E extends Endpoint> = Params<E> &
  Query<E> &
  Body<E> & { readonly headers?: Readonly<Record<string, string>>; readonly signal?: AbortSignal };

type ClientReply<E extends Endpoint> = E['download'] extends true ? Response : ReplyOf<E>;

/** Event streams are async iterables that reconnect after the last event when the connection breaks. */
type ResponseBody<E extends Endpoint> = E extends { events: object }
  ? AsyncIterable<EventOf<E>>
  : Promise<ClientReply<E>>;

/** One function per endpoint, of the same name; derived from the contract without generated code. */
export type Client<T extends Endpoints> = {
  readonly [Name in keyof T]: (
    ...request: Record<never, never> extends ClientRequest<T[Name]>
      ? [ClientRequest<T[Name]>?]
      : [ClientRequest<T[Name]>]
  ) => ResponseBody<T[Name]>;
};

/** The service refused the request; fields are those of its problem document. */
export class RequestFailed extends Error {
  readonly status: number;
  readonly code: string;
  readonly errors: readonly ProblemDetail[];

  constructor(status: number, { code, detail, errors }: Partial<Problem>) {
    super(detail ?? `The service answered ${status}.`);
    this.status = status;
    this.code = code ?? 'unknown';
    this.errors = errors ?? [];
  }
}

export interface ClientOptions {
  /** Address of the service, without a trailing slash. */
  readonly baseUrl: string;
  /** Bearer token; a function is called for each request. */
  readonly token?: string | (() => string | undefined);
  readonly send?: typeof fetch;
}

interface RequestParts {
  readonly params?: Readonly<Record<string, string>>;
  readonly query?: Readonly<Record<string, unknown>>;
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
  readonly signal?: AbortSignal;
}

/**
 * Creates a typed client for any table of endpoints.
 * @throws RequestFailed from each function when the service refuses
 */
export function createClient<const T extends Endpoints>(table: T, options: ClientOptions): Client<T> {
  const functions = Object.entries<Endpoint>(table).map(([name, endpoint]) => [
    name,
    (request: RequestParts = {}) => (endpoint.events ? follow : call)(endpoint, request, options),
  ]);
  return Object.fromEntries(functions) as Client<T>;
}

async function call(endpoint: Endpoint, parts: RequestParts, options: ClientOptions): Promise<unknown> {
  const response = await request(endpoint, parts, options);
  if (endpoint.download) return response;
  const text = await response.text();
  return text === '' ? undefined : JSON.parse(text);
}

async function request(
  endpoint: Endpoint,
  parts: RequestParts,
  { baseUrl, token, send = fetch }: ClientOptions,
): Promise<Response> {
  const secret = typeof token === 'function' ? token() : token;
  const { body, headers } = bodyOf(endpoint, parts.body);
  const response = await send(baseUrl + addressOf(endpoint, parts), {
    method: endpoint.method,
    headers: {
      ...headers,
      ...(secret !== undefined && { authorization: `Bearer ${secret}` }),
      ...parts.headers,
    },
    ...(body !== undefined && { body, duplex: 'half' }),
    ...(parts.signal && { signal: parts.signal }),
  } as RequestInit);
  if (!response.ok) throw new RequestFailed(response.status, await problemOf(response));
  return response;
}

/** A refusal ends the stream. Transient errors do so only on the first connection. */
function follow(endpoint: Endpoint, parts: RequestParts, options: ClientOptions): AsyncIterable<unknown> {
  const { lastEventId = '', ...query } = parts.query ?? {};
  return followEvents({
    lastEventId: String(lastEventId),
    signal: parts.signal,
    async connect({ lastEventId: seen, signal }, isFirst) {
      const headers = { ...parts.headers, ...(seen !== '' && { 'last-event-id': seen }) };
      try {
        return await request(endpoint, { ...parts, query, headers, signal }, options);
      } catch (error) {
        const { status = 503 } = error as Partial<RequestFailed>;
        const isPassing = status === 429 || status >= 500;
        if (isFirst || signal.aborted || !isPassing) throw error;
        return undefined;
      }
    },
  });
}

/** Path and query of a request. */
export function addressOf({ path }: Endpoint, { params = {}, query = {} }: RequestParts): string {
  const filled = path.replace(/:(\w+)/g, (_, name: string) => encodeURIComponent(params[name] ?? ''));
  const search = new URLSearchParams();
  for (const [name, value] of Object.entries(query)) {
    for (const item of Array.isArray(value) ? value : [value]) {
      if (item !== undefined) search.append(name, String(item));
    }
  }
  return `${apiPrefix}${filled}${search.size > 0 ? `?${search}` : ''}`;
}

function bodyOf(
  { bodyKind, mediaType = 'application/octet-stream' }: Endpoint,
  body: unknown,
): { body?: BodyInit; headers?: Record<string, string> } {
  if (body === undefined) return {};
  if (bodyKind === 'multipart') return { body: body as FormData };
  if (bodyKind === 'bytes') return { body: body as BodyInit, headers: { 'content-type': mediaType } };
  return { body: JSON.stringify(body), headers: { 'content-type': 'application/json' } };
}

async function problemOf(response: Response): Promise<Partial<Problem>> {
  try {
    return (await response.json()) as Partial<Problem>;
  } catch {
    return {};
  }
}
