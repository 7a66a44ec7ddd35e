import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { Settings } from '../base/config.ts';
import { Failure } from '../base/failure.ts';

type HostSettings = Pick<Settings, 'baseUrl' | 'publicUrl' | 'allowedHosts'>;

/** Monitoring asks for these by the address of a machine or container. */
const healthPaths = new Set(['/livez', '/readyz']);

/**
 * Refuses requests with several Host headers and, once the address of the service is known, those for other hosts: a
 * foreign name that points to this machine would let foreign pages read what anybody in its network may see (DNS
 * rebinding).
 */
export function requireOwnHost(app: FastifyInstance, settings: HostSettings): void {
  const own = ownHosts(settings);
  app.addHook('onRequest', (request, _reply, done) => done(problemOf(request, own)));
}

/** The addresses of the service and of its apps, as far as they are configured. */
export function ownAddresses({ baseUrl, publicUrl }: Pick<Settings, 'baseUrl' | 'publicUrl'>): string[] {
  return [baseUrl, publicUrl].filter((address) => address !== undefined);
}

/** undefined: any host, as long as the service does not know its own. */
function ownHosts({ baseUrl, publicUrl, allowedHosts }: HostSettings): ReadonlySet<string> | undefined {
  if (baseUrl === undefined) return undefined;
  const hosts = ownAddresses({ baseUrl, publicUrl }).map((address) => new URL(address).hostname);
  return new Set([...hosts, ...allowedHosts]);
}

function problemOf(request: FastifyRequest, own: ReadonlySet<string> | undefined): Failure | undefined {
  if (countHosts(request.raw.rawHeaders) > 1)
    return new Failure('invalid', 'The request has several Host headers. Send one.');
  if (own === undefined || healthPaths.has(request.raw.url ?? '')) return undefined;
  const host = hostnameOf(request.host);
  if (own.has(host) || isLoopback(host)) return undefined;
  return new Failure(
    'misdirected',
    `This service is not “${host.slice(0, 100)}”. Use its own address, or let the operator add the host to PLATEN_ALLOWED_HOSTS.`,
  );
}

/** Node keeps only the first of several in `headers`. */
function countHosts(rawHeaders: readonly string[]): number {
  let count = 0;
  for (let at = 0; at < rawHeaders.length; at += 2) {
    const name = rawHeaders[at]!;
    if (name.length === 4 && name.toLowerCase() === 'host') count++;
  }
  return count;
}

/** The name in lower case, without the port and the dot that ends a full name. */
function hostnameOf(host: string): string {
  const end = host.startsWith('[') ? host.indexOf(']') + 1 : host.indexOf(':');
  return (end > 0 ? host.slice(0, end) : host).toLowerCase().replace(/\.$/, '');
}

/** Runners and tools on this machine; no foreign name counts as loopback. */
function isLoopback(host: string): boolean {
  return host === 'localhost' || host === '[::1]' || /^127(\.\d{1,3}){3}$/.test(host);
}
