import { Failure, invalidAt } from '../base/failure.ts';

/** For the failed insertion or update of an app. */
export function explainTakenSlug(error: unknown): never {
  const { code, constraint } = error as { code?: string; constraint?: string };
  if (code !== '23505' || constraint !== 'app_slug_key') throw error;
  const detail = 'Another app of this service already has this address. Choose another name.';
  const errors = [{ pointer: '/slug', code: 'taken', detail }];
  throw new Failure('conflict', `/slug: ${detail}`, { errors, cause: error });
}

/** Their form the schema has seen to; ports and hosts that are none would make the whole list void in a browser. */
export function requireOrigins(origins: readonly string[], pointer = '/frameOrigins'): void {
  for (const [index, origin] of origins.entries()) {
    if (origin === '*' || URL.canParse(origin.replace('//*.', '//any.'))) continue;
    throw invalidAt(
      `${pointer}/${index}`,
      'It must be the origin of a website, such as https://www.city.example.',
    );
  }
}
