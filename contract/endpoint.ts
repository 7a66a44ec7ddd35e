import type { Static, TObject, TSchema } from 'typebox';
import type { ErrorCode } from './error.ts';
import type { Permission } from './permission.ts';

/** The prefix of every path of the API. */
export const apiPrefix = '/api/v1';

/**
 * Who may call an endpoint. It is decided before the body is read:
 * - `public`: anyone · `user`: anyone signed in · `admin`, `superUser`: holders of that global role
 * - `selfOrAdmin`: the user the path names, or an admin
 * - `runner`, `job`: a processing runner, or the holder of one job, with a token of its own kind
 * - `{ permission }`: holders of the permission in the project of the path; with `orCreator` also whoever
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

/** One promise of the API. Routes, client and OpenAPI are all derived from it. */
export interface Endpoint {
  readonly method: 'GET' | 'POST' | 'PUT' | 'DELETE';
  /** Below the prefix; `:name` is a parameter. */
  readonly path: string;
  readonly tag: string;
  readonly summary: string;
  readonly description?: string;
  readonly access: Access;
  readonly query?: TObject;
  readonly body?: TSchema;
  /** A body that is not JSON: form data with files, plain bytes, or JSON and form-encoded alike. */
  readonly bodyKind?: 'multipart' | 'bytes' | 'jsonOrForm';
  /** Absent: the reply has no body (204), or is a stream of bytes where `download` is set. */
  readonly reply?: TSchema;
  readonly download?: true;
  /** The status of success: 200 with a reply and 204 without unless said otherwise. */
  readonly status?: 200 | 201 | 204;
  /** A second status of success with a body of its own. */
  readonly alsoStatus?: { readonly status: 202 | 207; readonly reply: TSchema };
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

/** What the server hands to an operation, validated and with defaults filled in. */
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

/** Keeps the exact type of every endpoint while checking its shape. */
export function endpoints<const T extends Endpoints>(table: T): T {
  return table;
}

/** The names of the parameters in a path, in their order. */
export function paramsOf(path: string): string[] {
  return [...path.matchAll(/:(\w+)/g)].map((match) => match[1]!);
}

/** The status an endpoint answers with when all went well. */
export function successStatus(endpoint: Endpoint): number {
  return endpoint.status ?? (endpoint.reply || endpoint.download ? 200 : 204);
}

/** The one name of an endpoint: method and path in camel case, without parameters. `GET /user-profiles` → `getUserProfiles`. */
export function operationName(method: string, path: string): string {
  const words = path.split(/[/-]/).filter((word) => word !== '' && !word.startsWith(':'));
  return method.toLowerCase() + words.map((word) => word[0]!.toUpperCase() + word.slice(1)).join('');
}
