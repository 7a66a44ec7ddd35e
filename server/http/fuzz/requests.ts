import type { InjectOptions } from 'fastify';
import type { Random } from './random.ts';
import { tusHeaders } from './tus-headers.ts';
import { hostileText, spoil, valueFor } from './values.ts';

type Json = Readonly<Record<string, unknown>>;

export interface Operation {
  readonly operationId: string;
  readonly method: string;
  readonly path: string;
  readonly parameters: readonly { readonly name: string; readonly in: string; readonly schema: Json }[];
  readonly body: Readonly<Record<string, { readonly schema: Json }>> | undefined;
  readonly responses: Readonly<
    Record<string, { readonly content?: Readonly<Record<string, { readonly schema: Json }>> }>
  >;
}

/** The operations of an OpenAPI document, flat. */
export function operationsOf(document: Json): Operation[] {
  const paths = document['paths'] as Record<string, Record<string, Json>>;
  return Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({
      operationId: operation['operationId'] as string,
      method: method.toUpperCase(),
      path,
      parameters: operation['parameters'] as Operation['parameters'],
      body: (operation['requestBody'] as { content?: Operation['body'] } | undefined)?.content,
      responses: operation['responses'] as Operation['responses'],
    })),
  );
}

export interface World {
  readonly random: Random;
  readonly schemas: Readonly<Record<string, Json>>;
  /** Real ids by the name of the path parameter that takes them. */
  readonly ids: Readonly<Record<string, readonly string[]>>;
  readonly tokens: readonly string[];
}

/** One request from the description: sometimes right, mostly wrong somewhere. */
export function requestFor(operation: Operation, world: World): InjectOptions {
  const { random } = world;
  const url = pathFor(operation, world) + queryFor(operation, world);
  const { payload, headers } = bodyFor(operation, world);
  return {
    method: operation.method as 'GET',
    url,
    headers: {
      ...headers,
      ...tokenFor(world),
      ...tusHeaders(operation.path, random),
      ...oddHeaders(random),
    },
    ...(payload !== undefined && { payload }),
  };
}

function pathFor({ path }: Operation, { random, ids }: World): string {
  const filled = path.replace(/\{(\w+)\}/g, (_, name: string) => {
    const known = ids[name] ?? [];
    if (known.length > 0 && random.chance(0.85)) return random.pick(known);
    const text = random.chance(0.5) ? hostileText(random) : random.pick(Object.values(ids).flat());
    // every client resolves dot segments before it sends them: the request would be another operation's
    return /^\.+$/.test(text) ? 'dots' : encode(text);
  });
  if (random.chance(0.01)) return `${filled}${'/'.repeat(random.pick([2, 15_000]))}x`;
  return random.chance(0.05) ? `${filled}/` : filled;
}

function queryFor({ parameters }: Operation, { random, schemas, ids }: World): string {
  const pairs = parameters
    .filter(({ name, in: place }) => place === 'query' && (name === wait || random.chance(0.35)))
    .flatMap(({ name, schema }) => {
      const value = valueFor(schema, { random, schemas, ids: Object.values(ids).flat() });
      const spoilt = random.chance(0.3) ? spoil(value, random) : value;
      const items = name === wait ? briefly(spoilt) : [spoilt].flat();
      return items.map((item) => `${name}=${encode(String(item))}`);
    });
  if (random.chance(0.05)) pairs.push(`${encode(hostileText(random))}=${encode(hostileText(random))}`);
  if (random.chance(0.02)) pairs.push('%zz=%');
  return pairs.length > 0 ? `?${pairs.join('&')}` : '';
}

/** For a job that nobody runs: up to five minutes, and one without the parameter. */
const wait = 'waitSeconds';

/** The same values, none of them a long wait. */
function briefly(value: unknown): unknown[] {
  const items = [value].flat(1).map((item) => (Number(item) > 0 && Number(item) <= 300 ? 0.01 : item));
  return items.length > 0 ? items : [0.01];
}

function bodyFor(
  { body }: Operation,
  world: World,
): { payload?: string | Buffer; headers: Record<string, string> } {
  const { random, schemas, ids } = world;
  if (!body) return random.chance(0.03) ? { payload: '{"a":1}', headers: json } : { headers: {} };
  if (body['multipart/form-data']) return multipart(random);
  const bytes = Object.keys(body).find((type) => type.endsWith('octet-stream'));
  if (bytes !== undefined)
    return { payload: Buffer.from(hostileText(random)), headers: { 'content-type': bytes } };
  const value = valueFor(body['application/json']?.schema, {
    random,
    schemas,
    ids: Object.values(ids).flat(),
  });
  const kind = random.next();
  if (kind < 0.04) return { payload: JSON.stringify(value).slice(0, -1 - random.integer(5)), headers: json };
  if (kind < 0.06) return { payload: '[1e400]', headers: json };
  if (kind < 0.08) return { payload: '{"a":"\\ud800","__proto__":{"x":1},"b":"\\u0000"}', headers: json };
  if (kind < 0.1) return { payload: '['.repeat(20_000) + ']'.repeat(20_000), headers: json };
  if (kind < 0.105) return { payload: `[${'{},'.repeat(20_000)}{}]`, headers: json };
  if (kind < 0.12)
    return { payload: Buffer.from([0x7b, 0x22, 0xff, 0xfe, 0x22, 0x3a, 0x31, 0x7d]), headers: json };
  if (kind < 0.15)
    return { payload: JSON.stringify(value), headers: { 'content-type': random.pick(oddTypes) } };
  if (kind < 0.17) return { headers: {} };
  const sent = kind < 0.65 ? spoil(value, random) : value;
  return { payload: JSON.stringify(sent) ?? 'null', headers: json };
}

const json = { 'content-type': 'application/json' };
const oddTypes = [
  'text/plain',
  'application/xml',
  'application/x-www-form-urlencoded',
  'multipart/form-data',
  'a',
  '',
];

function multipart(random: Random): { payload: Buffer; headers: Record<string, string> } {
  const boundary = 'xyz';
  const parts = Array.from({ length: random.integer(4) }, () => {
    const field = random.chance(0.6) ? 'file' : quoted(hostileText(random));
    const filename = random.chance(0.5) ? quoted(hostileText(random)) : `f${random.integer(5)}.geojson`;
    return `--${boundary}\r\ncontent-disposition: form-data; name="${field}"; filename="${filename}"\r\n\r\n{}\r\n`;
  });
  const whole = `${parts.join('')}--${boundary}--\r\n`;
  const payload = random.chance(0.2) ? whole.slice(0, random.integer(whole.length + 1)) : whole;
  return {
    payload: Buffer.from(payload),
    headers: { 'content-type': `multipart/form-data; boundary=${boundary}` },
  };
}

const quoted = (text: string) => text.toWellFormed().replace(/["\r\n]/g, '_');

function tokenFor({ random, tokens }: World): Record<string, string> {
  if (random.chance(0.03)) return {};
  return { authorization: `Bearer ${random.chance(0.9) ? tokens[0]! : random.pick(tokens)}` };
}

function oddHeaders(random: Random): Record<string, string> {
  const kind = random.next();
  if (kind < 0.03) return { 'if-match': random.pick(['"1"', '*', 'x', '"99999999999999999999"']) };
  if (kind < 0.06) return { 'idempotency-key': random.pick(['k1', 'k2', 'a b', '', 'ü', 'x'.repeat(300)]) };
  if (kind < 0.08) return { 'if-none-match': random.pick(['"1"', '*', 'x']) };
  if (kind < 0.1)
    return { range: random.pick(['bytes=0-0', 'bytes=5-1', 'bytes=-0', 'bytes=99999999999999999999-', 'x']) };
  if (kind < 0.11) return { 'content-length': '-1' };
  return {};
}

const encode = (text: string) => encodeURIComponent(text.toWellFormed()).replaceAll('%25', random25);
// now and then a percent sign goes out as it is: a path that is not valid percent-encoding
const random25 = (_: string, offset: number) => (offset % 2 === 0 ? '%25' : '%');

/** Named for the message of a failed run. */
export function describeRequest({ method, url, payload }: InjectOptions): string {
  return `${method} ${typeof url === 'string' ? url : ''} ${typeof payload === 'string' ? payload.slice(0, 500) : ''}`;
}
