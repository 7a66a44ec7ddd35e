import { sql } from 'kysely';
import type { Db } from '../../base/database/database.ts';
import { startsWith } from './key-range.ts';

/**
 * Hashes the names and contents of the files at a place, to find out later whether they are still the same. One scan of
 * their index entries; nothing is sorted.
 * @param place the key of a file, or a folder, ending in `/`
 */
export async function digestFiles(db: Db, bucketId: string, place: string): Promise<string> {
  const inPlace = place.endsWith('/') ? startsWith('key', place) : sql`key = ${place}`;
  const { rows } = await sql<{ digest: string }>`
    select count(*) || ' ' || coalesce(bit_xor(
      hashtextextended(substr(key, length(${place}::text) + 1) || '/' || encode(sha256, 'hex'), 0)), 0) as digest
    from object where bucket_id = ${bucketId} and ${inPlace}`.execute(db);
  return rows[0]!.digest;
}
