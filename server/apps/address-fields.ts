import { Failure, invalidAt } from '../base/failure.ts';

/** For the failed update of an app. */
export function explainTakenSlug(error: unknown): never {
  const { code, constraint } = error as { code?: string; constraint?: string };
  if (code !== '23505' || constraint !== 'app_slug_key') throw error;
  throw takenSlug(error);
}

/** Another app has the slug that the caller asked for. */
export function takenSlug(cause?: unknown): Failure {
  const detail = 'Another app of this service already has this address. Choose another name.';
  const errors = [{ pointer: '/slug', code: 'taken', detail }];
  return new Failure('conflict', `/slug: ${detail}`, { errors, cause });
}

/** The schema has checked the form. An invalid port or host would make browsers ignore the whole list. */
export function requireOrigins(origins: readonly string[], pointer = '/frameOrigins'): void {
  for (const [index, origin] of origins.entries()) {
    if (origin === '*' || URL.canParse(origin.replace('//*.', '//any.'))) continue;
    throw invalidAt(
      `${pointer}/${index}`,
      'It must be the origin of a website, such as https://www.city.example.',
    );
  }
}
