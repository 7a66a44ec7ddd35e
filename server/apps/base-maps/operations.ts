import {
  firstBaseMaps,
  ownBaseMaps,
  worldMaps,
  type BaseMap,
  type OfferedBaseMap,
} from '@platen/contract/base-maps';
import type { Context } from '../../base/context.ts';
import type { Db } from '../../base/database/database.ts';
import { unusableAt } from '../../base/failure.ts';
import { findBaseMaps } from './store.ts';

/** All base maps that an app of the project may choose. */
export async function listBaseMaps({ db }: Context, projectId: string): Promise<{ items: OfferedBaseMap[] }> {
  return { items: await findOffered(db, projectId) };
}

export const firstBaseMapsOf = async (db: Db, projectId: string): Promise<string[]> =>
  firstBaseMaps(await findOffered(db, projectId));

/** Those of the project come first, and win over those of the service with the same id. */
async function findOffered(db: Db, projectId: string): Promise<OfferedBaseMap[]> {
  const { ofProject, ofService } = await findBaseMaps(db, projectId);
  const ofOthers = new Set(ofProject.map(({ id }) => id));
  return [
    ...ofProject.map(offeredBy('project')),
    ...ofService.filter(({ id }) => !ofOthers.has(id)).map(offeredBy('service')),
    ...worldMaps.map((id) => ({ id, from: 'world', type: 'world' }) as const),
  ];
}

const offeredBy =
  (from: OfferedBaseMap['from']) =>
  ({ id, name, type, thumbnail }: BaseMap): OfferedBaseMap =>
    thumbnail === undefined ? { id, from, name, type } : { id, from, name, type, thumbnail };

/**
 * What a new app shows: what is wanted, else all base maps of the project and the service.
 * @throws Failure `unusable_reference`
 */
export async function chosenBaseMaps(
  db: Db,
  projectId: string,
  wanted: readonly string[] | undefined,
): Promise<string[]> {
  if (wanted !== undefined) {
    await requireOffered(db, projectId, { wanted });
    return [...wanted];
  }
  const all = await findOffered(db, projectId);
  return ownBaseMaps(all);
}

interface Choice {
  readonly wanted: readonly string[];
  /** May stay although they are gone. */
  readonly kept?: readonly string[];
}

/** @throws Failure `unusable_reference` if neither the project nor the service has it */
export async function requireOffered(
  db: Db,
  projectId: string,
  { wanted, kept = [] }: Choice,
): Promise<void> {
  if (wanted.length === 0) return;
  const known = new Set([...kept, ...(await findOffered(db, projectId)).map(({ id }) => id)]);
  const index = wanted.findIndex((id) => !known.has(id));
  if (index < 0) return;
  throw unusableAt(
    `/baseMaps/${index}`,
    `Neither the project nor the service has a base map with the id ${wanted[index]}. GET …/base-maps lists them.`,
  );
}
