import type { Context } from '../../base/context.ts';
import { findSettings } from './store.ts';

/** The origins whose pages may call the API, read once and again after each change of the settings. */
export function knownOrigins({ db, notifications }: Pick<Context, 'db' | 'notifications'>) {
  let known: Promise<readonly string[]> | undefined;
  notifications.on('accessChanged', (payload) => {
    if (!payload.startsWith('bucket:')) known = undefined;
  });
  const read = async () => (await findSettings(db)).apiOrigins;
  return (): Promise<readonly string[]> => {
    if (!notifications.isLive()) return read();
    if (!known) {
      const reading = (known = read());
      reading.catch(() => {
        if (known === reading) known = undefined;
      });
    }
    return known;
  };
}
