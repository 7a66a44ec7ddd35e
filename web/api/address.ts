import { addressOf as addressOfEndpoint } from '@platen/client/client';
import type { apiEndpoints } from '@platen/contract/api';
import type { Endpoint, ParamsOf, QueryOf } from '@platen/contract/endpoint';
import { endpoints } from 'virtual:endpoints';

type Endpoints = typeof apiEndpoints;

interface UrlParts<E extends Endpoint> {
  readonly params: ParamsOf<E>;
  readonly query?: Partial<QueryOf<E>>;
}

/** The URL of an operation, for links, images and code that sends its own requests. */
export function addressOf<Name extends keyof Endpoints>(
  operation: Name,
  parts: UrlParts<Endpoints[Name]>,
): string {
  return addressOfEndpoint(endpoints[operation], parts);
}
