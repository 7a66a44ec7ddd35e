import { readChunks } from '@platen/formats/bytes/read-chunks';
import { findIds } from '@platen/formats/citygml/find-ids';
import type { FindTask, FoundIds, Setup } from './tasks.ts';

/** Finds out which of the surfaces that objects wait for are in a part of a file. */
export async function findTask({ found }: Setup, { model, ids }: FindTask): Promise<FoundIds> {
  const { path, members } = found.models[model]!;
  const { start, end } = members!;
  return {
    kind: 'find',
    model,
    present: [...(await findIds(readChunks(path, { start, end }), new Set(ids)))],
  };
}
