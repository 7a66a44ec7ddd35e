import type { Language } from '@platen/viewer/page';
import type { FastifyRequest } from 'fastify';

/** The first supported language of Accept-Language, which lists them by preference. */
export function languageOf({ headers }: FastifyRequest): Language {
  const accepted = (headers['accept-language'] ?? '').toLowerCase().split(',');
  const supported = accepted.map((tag) => /^\s*(de|en)\b/.exec(tag)?.[1]).find((tag) => tag !== undefined);
  return (supported as Language | undefined) ?? 'en';
}
