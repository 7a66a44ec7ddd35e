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

type Json = Record<string, unknown>;

interface Description {
  readonly endpoints: Endpoints;
  /** Named schemas for `components`, recognised by identity. */
  readonly schemas: Readonly<Record<string, unknown>>;
  readonly version: string;
}

/** The API as an OpenAPI 3.1 document: one operation per endpoint, named like it. */
export function openApi({ endpoints, schemas, version }: Description): Json {
  const names = namesOf({ Problem, ...schemas });
  const paths: Record<string, Json> = {};
  for (const [operationId, endpoint] of Object.entries(endpoints)) {
    const path = apiPrefix + endpoint.path.replace(/:(\w+)/g, '{$1}');
    paths[path] = {
      ...paths[path],
      [endpoint.method.toLowerCase()]: operationOf(operationId, endpoint, names),
    };
  }
  const components = Object.fromEntries(
    [...names].map(([schema, name]) => [name, withRefs(schema, names, true)]),
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
    typeof value === 'object' && value !== null && ('type' in value || 'anyOf' in value || 'allOf' in value);
  const named = Object.entries(schemas).filter(
    (entry): entry is [string, object] => /^[A-Z]/.test(entry[0]) && isSchema(entry[1]),
  );
  return new Map(named.map(([name, schema]) => [schema, name]));
}

/** Copies a schema with every named schema replaced by a reference, except the one being defined. */
function withRefs(value: unknown, names: Names, isRoot = false): unknown {
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return value.map((item) => withRefs(item, names));
  const name = isRoot ? undefined : names.get(value);
  if (name !== undefined) return { $ref: `#/components/schemas/${name}` };
  return Object.fromEntries(Object.entries(value).map(([key, part]) => [key, withRefs(part, names)]));
}

function operationOf(operationId: string, endpoint: Endpoint, names: Names): Json {
  const { tag, summary, description, access, query, body, bodyKind } = endpoint;
  const hasBody = body !== undefined || bodyKind !== undefined;
  return {
    operationId,
    tags: [tag],
    summary,
    description: [description, accessText(access)].filter(Boolean).join('\n\n'),
    ...(access === 'public' && { security: [] }),
    parameters: [...pathParameters(endpoint.path), ...queryParameters(query, names)],
    ...(hasBody && {
      requestBody: {
        ...limitText(endpoint),
        required: !endpoint.optionalBody,
        content: bodyContent(endpoint, names),
      },
    }),
    responses: responsesOf(endpoint, names),
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

function pathParameters(path: string): Json[] {
  return paramsOf(path).map((name) => ({ name, in: 'path', required: true, schema: { type: 'string' } }));
}

function queryParameters(query: Endpoint['query'], names: Names): Json[] {
  const required = new Set((query as { required?: string[] } | undefined)?.required);
  return Object.entries(query?.properties ?? {}).map(([name, schema]) => ({
    name,
    in: 'query',
    // fields with a default may be omitted
    required: required.has(name) && !('default' in (schema as object)),
    schema: withRefs(schema, names),
  }));
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

function bodyContent({ body, bodyKind, mediaType = octets }: Endpoint, names: Names): Json {
  if (bodyKind === 'bytes') return { [mediaType]: { schema: bytes } };
  if (bodyKind === 'multipart') {
    const file = { anyOf: [bytes, { type: 'array', items: bytes }] };
    const schema = { type: 'object', properties: { file }, required: ['file'] };
    return { 'multipart/form-data': { schema } };
  }
  const json = { 'application/json': { schema: withRefs(body, names) } };
  if (bodyKind !== 'jsonOrForm') return json;
  return { ...json, 'application/x-www-form-urlencoded': { schema: withRefs(body, names) } };
}

/** OpenAPI 3.1 cannot describe event streams, so an extension lists the schemas by event name. */
function eventStream(events: NonNullable<Endpoint['events']>, names: Names): Json {
  const description = `Events: ${Object.keys(events).join(', ')}; the data of each event is JSON`;
  return {
    'text/event-stream': {
      schema: { type: 'string', description },
      'x-event-data': withRefs(events, names),
    },
  };
}

const alsoTexts = { 202: 'Still running', 207: 'Some parts succeeded' } as const;

function responsesOf(endpoint: Endpoint, names: Names): Json {
  const json = (description: string, schema: TSchema) => ({
    description,
    content: { 'application/json': { schema: withRefs(schema, names) } },
  });
  const problem = (description: string) => ({
    description,
    content: { 'application/problem+json': { schema: { $ref: '#/components/schemas/Problem' } } },
  });
  const { reply, download, events, alsoStatus, errors = [] } = endpoint;
  const content = events ? eventStream(events, names) : download && { '*/*': { schema: bytes } };
  const success = reply ? json('Success', reply) : { description: 'Success', ...(content && { content }) };
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
