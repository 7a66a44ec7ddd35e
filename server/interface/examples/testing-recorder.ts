import { apiEndpoints } from '@platen/contract/api';
import { apiPrefix, paramsOf, successStatus, type Endpoint } from '@platen/contract/endpoint';
import type { Example } from '@platen/contract/examples';
import type { InjectOptions } from 'fastify';
import type { TestService } from '../../testing.ts';

export type OperationName = keyof typeof apiEndpoints;

interface Request {
  /** Other identifiers than those that the story has noted. */
  readonly path?: Readonly<Record<string, string>>;
  readonly query?: Readonly<Record<string, string | number | boolean | readonly string[]>>;
  /** Sent as JSON unless it is bytes. */
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
  /** undefined: the one of the story; '': none. */
  readonly token?: string;
}

// oxlint-disable-next-line typescript/no-explicit-any -- a reply of any operation
export type Answer = Record<string, any>;

export interface Recorder {
  /** Identifiers by the name of the path parameter that takes them, as far as the story has come. */
  readonly ids: Record<string, string>;
  /** The first exchange of each operation that is done, not pending. */
  readonly exchanges: Map<OperationName, Example>;
  /** @throws Error for a refusal */
  readonly call: (name: OperationName, request?: Request) => Promise<Answer>;
}

/** Calls operations of a service, and keeps what was sent and answered. */
export function createRecorder({ app, adminToken }: TestService): Recorder {
  const ids: Record<string, string> = {};
  const exchanges = new Map<OperationName, Example>();
  const call = async (name: OperationName, request: Request = {}): Promise<Answer> => {
    const endpoint: Endpoint = apiEndpoints[name];
    const { query = {}, body, headers, token = adminToken } = request;
    const path = Object.fromEntries(
      paramsOf(endpoint.path).map((param) => [param, request.path?.[param] ?? ids[param] ?? 'none']),
    );
    const isBytes = Buffer.isBuffer(body);
    const response = await app.inject({
      method: endpoint.method,
      url: `${apiPrefix}${endpoint.path.replace(/:(\w+)/g, (_, param: string) => path[param]!)}`,
      query,
      headers: { ...(token !== '' && { authorization: `Bearer ${token}` }), ...headers },
      ...(body !== undefined && { payload: body }),
    } as InjectOptions);
    const { statusCode: status } = response;
    if (status >= 400) throw new Error(`${name} answered ${status}: ${response.body}`);
    const type = String(response.headers['content-type'] ?? '');
    const isText = type.startsWith('text/event-stream');
    const reply: unknown = type.startsWith('application/json') ? response.json() : isText && response.body;
    const sent = body === undefined || isBytes ? {} : { body };
    const isDocument = !endpoint.download && reply !== false;
    if (exchanges.get(name)?.status !== successStatus(endpoint))
      exchanges.set(name, { path, query, ...sent, status, ...(isDocument && { reply }) });
    return { ...(reply as Answer), location: response.headers['location'] };
  };
  return { ids, exchanges, call };
}
