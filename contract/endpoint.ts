import type { Static, TObject, TSchema } from 'typebox';
import type { ErrorCode } from './error.ts';
import type { Permission } from './permission.ts';

/** The prefix of every path of the API. */
export const apiPrefix = '/api/v1';

/**
 * Who may call an endpoint. It is decided before the body is read:
 * - `public`: anyone · `user`: anyone signed in · `admin`, `superUser`: holders of that global role
 * - `selfOrAdmin`: the user the path names, or an administrator
 * - `runner`, `job`: a processing runner, or the holder of one job, with a token of its own kind
 * - `{ permission }`: holders of the permission in the project of the path; with `orCreator` also the user who
 *   created the resource of the path, while they hold getProject there.
 * A caller without getProject learns nothing of a project: 404.
 */
export type Access =
  | 'public'
  | 'user'
  | 'admin'
  | 'superUser'
  | 'selfOrAdmin'
  | 'runner'
  | 'job'
  | { readonly permission: Permission; readonly orCreator?: true };

/** Limits of a JSON body in bytes: of most, of one with free-form fields, of a map configuration, of what a job reports. */
export const bodyBytes = {
  small: 64 * 1024,
  freeForm: 2 * 1024 * 1024,
  mapConfiguration: 4 * 1024 * 1024,
  jobReport: 8 * 1024 * 1024,
} as const;

/** One endpoint of the API, from which routes, client and OpenAPI are derived. */
export interface Endpoint {
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE' | 'HEAD' | 'OPTIONS';
  /** Path below the prefix; `:name` is a parameter. */
  readonly path: string;
  readonly tag: string;
  readonly summary: string;
  readonly description?: string;
  readonly access: Access;
  /**
   * Whether access tokens can use an endpoint that is outside of projects; by default they cannot. `unlimited`: only
   * those that are not limited to a project.
   */
  readonly accessTokens?: 'any' | 'unlimited';
  readonly query?: TObject;
  readonly body?: TSchema;
  /** Limit of a JSON body; `small` by default. Bodies of files have other limits. */
  readonly bodyLimit?: keyof typeof bodyBytes;
  /** The body may be omitted, which means `{}`. */
  readonly optionalBody?: true;
  /** A body that is not JSON: form data with files, plain bytes, or JSON and form-encoded alike. */
  readonly bodyKind?: 'multipart' | 'bytes' | 'jsonOrForm';
  /** Media type of a body of bytes, `application/octet-stream` by default, or of a download, any by default. */
  readonly mediaType?: string;
  /** Absent: the reply has no body (204), or is a stream of bytes where `download` is set. */
  readonly reply?: TSchema;
  readonly download?: true;
  /** The download takes data out of the service, which is recorded in the audit log. */
  readonly isExport?: true;
  /** Schemas of the Server-Sent Events sent instead of a reply, by event name. `end` is the last event. */
  readonly events?: Readonly<Record<string, TSchema>>;
  /** Success status; by default 200 with a reply and 204 without. */
  readonly status?: 200 | 201 | 202 | 204;
  /** A second success status with its own body. */
  readonly alsoStatus?: { readonly status: 202 | 207; readonly reply: TSchema };
  /** The reply contains a secret, so it is returned once and never stored, not even for an Idempotency-Key. */
  readonly shownOnce?: true;
  /**
   * The operation waits for its job, so it handles an Idempotency-Key itself instead of waiting inside the
   * transaction.
   */
  readonly waits?: true;
  /** The reply may change without a new revision (its ETag), so it is never answered with 304. */
  readonly alwaysWhole?: true;
  readonly errors?: readonly ErrorCode[];
}

export type Endpoints = Readonly<Record<string, Endpoint>>;

type ParamNames<Path extends string> = Path extends `${string}:${infer Name}/${infer Rest}`
  ? Name | ParamNames<Rest>
  : Path extends `${string}:${infer Name}`
    ? Name
    : never;

export type ParamsOf<E extends Endpoint> = { readonly [Name in ParamNames<E['path']>]: string };

export type QueryOf<E extends Endpoint> = E['query'] extends TSchema ? Static<E['query']> : undefined;

export type BodyOf<E extends Endpoint> = E['body'] extends TSchema ? Static<E['body']> : undefined;

/** The request as the server passes it to an operation: validated, with defaults. */
export interface RequestOf<E extends Endpoint> {
  readonly params: ParamsOf<E>;
  readonly query: QueryOf<E>;
  readonly body: BodyOf<E>;
}

export type ReplyOf<E extends Endpoint> =
  | (E['reply'] extends TSchema ? Static<E['reply']> : void)
  | (E['alsoStatus'] extends { readonly status: 202; readonly reply: infer Pending extends TSchema }
      ? Static<Pending>
      : never);

/** An event of a stream as the client receives it. */
export type EventOf<E extends Endpoint> =
  E['events'] extends Readonly<Record<string, TSchema>>
    ? {
        [Name in keyof E['events'] & string]: {
          readonly event: Name;
          readonly data: Static<E['events'][Name]>;
          /** Id of this event, or of the last earlier event that had one. */
          readonly id: string;
        };
      }[keyof E['events'] & string]
    : never;

/** Keeps the exact type of every endpoint while checking its shape. */
export function endpoints<const T extends Endpoints>(table: T): T {
  return table;
}

/** The parameter names of a path in order. */
export function paramsOf(path: string): string[] {
  return [...path.matchAll(/:(\w+)/g)].map((match) => match[1]!);
}

/** The status of a successful response. */
export function successStatus(endpoint: Endpoint): number {
  return endpoint.status ?? (endpoint.reply || endpoint.download || endpoint.events ? 200 : 204);
}

/**
 * The operation name: method and path in camel case, without parameters. `GET /user-profiles` → `getUserProfiles`.
 */
export function operationName(method: string, path: string): string {
  const words = path.split(/[/-]/).filter((word) => word !== '' && !word.startsWith(':'));
  return method.toLowerCase() + words.map((word) => word[0]!.toUpperCase() + word.slice(1)).join('');
}

/** The limit of the JSON body of an endpoint in bytes; undefined if it takes none. */
export function maxBodyBytes({ body, bodyLimit = 'small' }: Endpoint): number | undefined {
  return body && bodyBytes[bodyLimit];
}
