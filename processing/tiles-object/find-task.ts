import { createReadStream } from 'node:fs';
import { findIds } from '@platen/formats/citygml/find-ids';
import { chunkBytes } from './source/read-model.ts';
import type { FindTask, FoundIds, Setup } from './tasks.ts';

/** Finds out which of the surfaces that objects wait for are in a part of a file. */
export async function findTask({ found }: Setup, { model, ids }: FindTask): Promise<FoundIds> {
  const { path, members } = found.models[model]!;
  const { start, end } = members!;
  const chunks = createReadStream(path, { start, end: end - 1, highWaterMark: chunkBytes });
  return { kind: 'find', model, present: [...(await findIds(chunks, new Set(ids)))] };
}
