import type { TSchema } from 'typebox';
import {
  apiPrefix,
  maxBodyBytes,
  paramsOf,
  successStatus,
  type Endpoint,
  type Endpoints,
} from './endpoint.ts';
import { Problem, statusOf } from './error.ts';
import type { Example, Examples } from './examples.ts';
import { discriminatorOf } from './variants.ts';

type Json = Record<string, unknown>;

interface Description {
  readonly endpoints: Endpoints;
  /** Named schemas for `components`, recognised by identity. */
  readonly schemas: Readonly<Record<string, unknown>>;
  /** Named schemas that are described more precisely than the service first checks them. */
  readonly precise: ReadonlyMap<unknown, unknown>;
  readonly examples: Examples;
  readonly version: string;
}

/** The API as an OpenAPI 3.1 document: one operation per endpoint, named like it. */
export function openApi({ endpoints, schemas, precise, examples, version }: Description): Json {
  const names = namesOf({ Problem, ...schemas });
  const paths: Record<string, Json> = {};
  for (const [operationId, endpoint] of Object.entries(endpoints)) {
    const path = apiPrefix + endpoint.path.replace(/:(\w+)/g, '{$1}');
    paths[path] = {
      ...paths[path],
      [endpoint.method.toLowerCase()]: operationOf(operationId, endpoint, {
        names,
        example: examples[operationId],
      }),
    };
  }
  const components = Object.fromEntries(
    [...names].map(([schema, name]) => [name, withRefs(precise.get(schema) ?? schema, names, true)]),
  );
  return {
    openapi: '3.1.0',
    info: {
      title: 'Platen',
      version,
      description:
        'Publishing platform for geospatial data and web map applications. ' +
        'Sign in with POST /api/v1/login and send the token as `Authorization: Bearer <token>`.',
      license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
    },
    servers: [{ url: '/' }],
    tags: [...new Set(Object.values(endpoints).map(({ tag }) => tag))].map((name) => ({ name })),
    paths,
    components: {
      schemas: components,
      securitySchemes: {
        bearer: { type: 'http', scheme: 'bearer' },
        session: { type: 'apiKey', in: 'cookie', name: 'platen-session' },
      },
    },
    security: [{ bearer: [] }, { session: [] }],
  };
}

type Names = ReadonlyMap<object, string>;

function namesOf(schemas: Readonly<Record<string, unknown>>): Names {
  const isSchema = (value: unknown): value is object =>
    typeof value === 'object' &&
    value !== null &&
    ['type', 'anyOf', 'oneOf', 'allOf'].some((key) => key in value);
  const named = Object.entries(schemas).filter(
    (entry): entry is [string, object] => /^[A-Z]/.test(entry[0]) && isSchema(entry[1]),
  );
  return new Map(named.map(([name, schema]) => [schema, name]));
}

/** The name of a schema, or of the one that it is an optional copy of: both have the same `properties`. */
function nameOf(schema: object, names: Names): string | undefined {
  const name = names.get(schema);
  const { properties, ...rest } = schema as { properties?: unknown };
  if (name !== undefined || properties === undefined) return name;
  for (const [other, otherName] of names) {
    const { properties: own, ...otherRest } = other as { properties?: unknown };
    if (own === properties && JSON.stringify(rest) === JSON.stringify(otherRest)) return otherName;
  }
  return undefined;
}

const refTo = (name: string) => `#/components/schemas/${name}`;

/** Copies a schema with every named schema replaced by a reference, except the one being defined. */
function withRefs(value: unknown, names: Names, isRoot = false): unknown {
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return value.map((item) => withRefs(item, names));
  const name = isRoot ? undefined : nameOf(value, names);
  if (name !== undefined) return { $ref: refTo(name) };
  const { anyOf, oneOf, ...rest } = value as Partial<Record<string, object[]>>;
  const union = unionOf(anyOf ?? oneOf, names);
  const parts = Object.entries(union ? { ...rest, ...union } : modernised(value));
  return Object.fromEntries(
    parts.map(([key, part]) => [key, key === 'discriminator' ? part : withRefs(part, names)]),
  );
}

/** In the form that OpenAPI 3.1 and client generators understand: values under any key, and tuples. */
function modernised(schema: object): object {
  const { patternProperties, additionalItems, items, ...rest } = schema as Json;
  const values = (patternProperties as Json | undefined)?.['^.*$'];
  if (values !== undefined) return { ...rest, additionalProperties: values };
  return Array.isArray(items) ? { ...rest, prefixItems: items, items: additionalItems ?? {} } : schema;
}

/** A union whose branches have names and a constant that tells them apart, as client generators understand it. */
function unionOf(branches: readonly object[] | undefined, names: Names): Json | undefined {
  if (!branches?.every((branch) => names.has(branch))) return undefined;
  const found = discriminatorOf(branches);
  if (!found) return undefined;
  const mapping = Object.fromEntries(
    [...found.branchOf].map(([value, branch]) => [value, refTo(names.get(branch)!)]),
  );
  return { type: 'object', oneOf: branches, discriminator: { propertyName: found.property, mapping } };
}

interface Details {
  readonly names: Names;
  readonly example: Example | undefined;
}

function operationOf(operationId: string, endpoint: Endpoint, { names, example }: Details): Json {
  const { tag, summary, description, access, query, body, bodyKind } = endpoint;
  const hasBody = body !== undefined || bodyKind !== undefined;
  return {
    operationId,
    tags: [tag],
    summary,
    description: [description, accessText(access)].filter(Boolean).join('\n\n'),
    ...(access === 'public' && { security: [] }),
    parameters: [...pathParameters(endpoint.path, example), ...queryParameters(query, { names, example })],
    ...(hasBody && {
      requestBody: {
        ...limitText(endpoint),
        required: !endpoint.optionalBody,
        content: bodyContent(endpoint, { names, example }),
      },
    }),
    responses: responsesOf(endpoint, { names, example }),
  };
}

function accessText(access: Endpoint['access']): string {
  if (typeof access === 'object') {
    const creator = access.orCreator ? ' or be its creator' : '';
    return `Requires the permission \`${access.permission}\` in the project${creator}.`;
  }
  const texts = {
    public: 'No token required.',
    user: 'For all signed-in users.',
    admin: 'For administrators.',
    superUser: 'For super users.',
    selfOrAdmin: 'For the user themselves, and administrators.',
    runner: 'For runners, with their own token.',
    job: 'For the runner that holds the job, with the token of its claim.',
  };
  return texts[access];
}

function pathParameters(path: string, example: Example | undefined): Json[] {
  return paramsOf(path).map((name) =>
    withExample({ name, in: 'path', required: true, schema: { type: 'string' } }, example?.path[name]),
  );
}

const withExample = (described: Json, example: unknown): Json =>
  example === undefined ? described : { ...described, example };

function queryParameters(query: Endpoint['query'], { names, example }: Details): Json[] {
  const required = new Set((query as { required?: string[] } | undefined)?.required);
  return Object.entries(query?.properties ?? {}).map(([name, schema]) => {
    // fields with a default may be omitted
    const isRequired = required.has(name) && !('default' in (schema as object));
    const parameter = { name, in: 'query', required: isRequired, schema: withRefs(schema, names) };
    return withExample(parameter, example?.query[name]);
  });
}

function limitText(endpoint: Endpoint): Json {
  const max = maxBodyBytes(endpoint);
  return max === undefined ? {} : { description: `At most ${formatBytes(max)}.` };
}

/** A limit as people write it: 64 KiB, 2 MiB. */
const formatBytes = (bytes: number) =>
  bytes < 2 ** 20 ? `${bytes / 2 ** 10} KiB` : `${bytes / 2 ** 20} MiB`;

const bytes = { type: 'string', format: 'binary' };
const octets = 'application/octet-stream';

function bodyContent({ body, bodyKind, mediaType = octets }: Endpoint, { names, example }: Details): Json {
  if (bodyKind === 'bytes') return { [mediaType]: { schema: bytes } };
  if (bodyKind === 'multipart') {
    const file = { anyOf: [bytes, { type: 'array', items: bytes }] };
    const schema = { type: 'object', properties: { file }, required: ['file'] };
    return { 'multipart/form-data': { schema } };
  }
  const json = { 'application/json': withExample({ schema: withRefs(body, names) }, example?.body) };
  if (bodyKind !== 'jsonOrForm') return json;
  return { ...json, 'application/x-www-form-urlencoded': { schema: withRefs(body, names) } };
}

/** OpenAPI 3.1 cannot describe event streams, so an extension lists the schemas by event name. */
function eventStream(events: NonNullable<Endpoint['events']>, { names, example }: Details): Json {
  const description = `Events: ${Object.keys(events).join(', ')}; the data of each event is JSON`;
  return {
    'text/event-stream': withExample(
      { schema: { type: 'string', description }, 'x-event-data': withRefs(events, names) },
      example?.reply,
    ),
  };
}

const alsoTexts = { 202: 'Still running', 207: 'Some parts succeeded' } as const;

function responsesOf(endpoint: Endpoint, details: Details): Json {
  const { names, example } = details;
  const json = (description: string, schema: TSchema, reply?: unknown) => ({
    description,
    content: { 'application/json': withExample({ schema: withRefs(schema, names) }, reply) },
  });
  const problem = (description: string) => ({
    description,
    content: { 'application/problem+json': { schema: { $ref: refTo('Problem') } } },
  });
  const { reply, download, events, alsoStatus, mediaType = '*/*', errors = [] } = endpoint;
  const content = events ? eventStream(events, details) : download && { [mediaType]: { schema: bytes } };
  const success = reply
    ? json('Success', reply, example?.reply)
    : { description: 'Success', ...(content && { content }) };
  const bodyErrors = endpoint.body ? (['too_large'] as const) : [];
  const failures = new Map(
    [...errors, ...bodyErrors].map((code) => [statusOf[code], problem(code.replaceAll('_', ' '))]),
  );
  return {
    [successStatus(endpoint)]: success,
    ...(events && { 204: { description: 'All events were sent: do not reconnect' } }),
    ...(alsoStatus && { [alsoStatus.status]: json(alsoTexts[alsoStatus.status], alsoStatus.reply) }),
    ...Object.fromEntries(failures),
    default: problem('Problem details (RFC 9457)'),
  };
}
