import type { Context } from '../../base/context.ts';
import { describeDifferences, findSchemaDifferences } from '../../base/database/check-schema.ts';

const maxAgeMs = 30_000;

/**
 * Returns a function that compares the schema of the database, at most twice a minute. A difference is logged when it
 * appears.
 */
export function watchSchema({ db, log }: Pick<Context, 'db' | 'log'>): () => Promise<'ok' | 'different'> {
  let checkedAt = -Infinity;
  let differences: Promise<string[]> = Promise.resolve([]);
  let reported = '';
  return async () => {
    if (performance.now() - checkedAt > maxAgeMs) {
      checkedAt = performance.now();
      differences = findSchemaDifferences(db);
      differences.catch(() => (checkedAt = -Infinity));
    }
    const found = await differences;
    const text = found.length > 0 ? describeDifferences(found) : '';
    if (text !== '' && text !== reported) log.error(text);
    reported = text;
    return text === '' ? 'ok' : 'different';
  };
}
