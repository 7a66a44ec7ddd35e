import type { SearchHit } from '@platen/contract/search';
import type { Context } from '../../base/context.ts';
import type { Caller } from '../../base/caller.ts';
import { findByName, type Search } from './store.ts';

export async function search(
  { db }: Context,
  caller: Caller,
  query: Search,
): Promise<{ items: SearchHit[] }> {
  const text = query.text.trim().normalize('NFC');
  return { items: text === '' ? [] : await findByName(db, caller, { ...query, text }) };
}
