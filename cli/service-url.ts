import { UsageError } from './read-command-line.ts';

/**
 * The address of a service without a trailing slash; https if no protocol is given.
 * @throws UsageError
 */
export function serviceUrl(text: string): string {
  const url = URL.parse(/^[a-z][a-z\d+.-]*:\/\//i.test(text) ? text : `https://${text}`);
  if (!url || !['http:', 'https:'].includes(url.protocol))
    throw new UsageError(`“${text}” is not the address of a service, such as https://maps.example.org.`);
  if (url.username || url.password)
    throw new UsageError('An address must not contain a user name or a password. Use “platen login”.');
  return url.origin + withoutEnd(withoutEnd(url.pathname, '/'), '/api/v1');
}

const withoutEnd = (text: string, end: string): string =>
  text.endsWith(end) ? text.slice(0, -end.length) : text;

/** Whether a secret would be readable on the way to the service. */
export function isUnencrypted(url: string): boolean {
  const { protocol, hostname } = new URL(url);
  return protocol === 'http:' && !['localhost', '127.0.0.1', '[::1]'].includes(hostname);
}
