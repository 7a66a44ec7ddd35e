import { createClient } from '@platen/client/client';
import { endpoints } from 'virtual:endpoints';
import { renewed } from './session.ts';

/**
 * Every operation of the API by its name in openapi.json. When the session has ended, a request waits until the user
 * has
 * signed in again and is then repeated, so nothing typed is lost.
 * @throws RequestFailed when the service refuses, TypeError when no answer arrived
 */
export const api = createClient(endpoints, { baseUrl: '', send });

async function send(input: string | URL | Request, init?: RequestInit): Promise<Response> {
  const { duplex: _, ...request } = (init ?? {}) as RequestInit & { duplex?: string };
  const response = await fetch(input, request);
  if (response.status !== 401 || response.url.endsWith('/session')) return response;
  return (await renewed()) ? await fetch(input, request) : response;
}
