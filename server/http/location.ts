import { apiEndpoints } from '@platen/contract/api';
import type { Endpoint } from '@platen/contract/endpoint';

/** Paths below which resources are read, without the name of their last parameter. */
const resourcePaths = new Set(
  Object.values<Endpoint>(apiEndpoints).flatMap(({ method, path }) =>
    method === 'GET' && /:\w+$/.test(path) ? [path.slice(0, path.lastIndexOf('/'))] : [],
  ),
);

/** The path of the resource that a POST has created; undefined if it is not found below the path of the POST. */
export function locationOf({ method, path }: Endpoint, url: string, body: unknown): string | undefined {
  if (method !== 'POST' || !resourcePaths.has(path)) return undefined;
  const { _id } = body as { _id?: unknown };
  if (typeof _id !== 'string') return undefined;
  return `${url.split('?')[0]!.replace(/(?<!\/)\/$/, '')}/${encodeURIComponent(_id)}`;
}
