import { mayHaveId } from '@platen/formats/citygml/id-filter';
import type { FindTask, FoundIds, ReadModelAnswer, ReadTask } from '../tasks.ts';
import type { ModelFile } from './model-file.ts';

/*
 * Objects of a file that is read in parts may refer to surfaces in other parts. They wait until all parts have been read;
 * then a filter of the ids of each part tells where to search for the surfaces, and that search which parts have to be read again
 * for them (docs/decisions/0165).
 */

/**
 * Searches the parts of each file with waiting objects for what these lack, as far as it may be there.
 * @param read what is known of the parts
 */
export function findTasks(
  models: readonly ModelFile[],
  waiting: readonly ReadModelAnswer[],
  read: ReadonlyMap<number, Pick<ReadModelAnswer, 'surfaceIds'>>,
): FindTask[] {
  return [...Map.groupBy(waiting, ({ model }) => models[model]!.path)].flatMap(([path, answers]) => {
    const missing = [...new Set(answers.flatMap(missingIn))];
    return [...models.entries()].flatMap(([model, file]): FindTask[] => {
      if (file.path !== path) return [];
      const known = read.get(model)?.surfaceIds;
      const ids = known === undefined ? missing : missing.filter((id) => mayHaveId(known, id));
      return ids.length === 0 ? [] : [{ kind: 'find', model, ids }];
    });
  });
}

/** Reads waiting objects, with the parts that have what they wait for. */
export function linkTasks(
  models: readonly ModelFile[],
  waiting: readonly ReadModelAnswer[],
  found: readonly FoundIds[],
): ReadTask[] {
  const inOrder = found.toSorted((a, b) => a.model - b.model);
  return waiting.map((answer): ReadTask => {
    const { path } = models[answer.model]!;
    const missing = new Set(missingIn(answer));
    const sources = inOrder.flatMap(({ model, present }) =>
      models[model]!.path === path && present.some((id) => missing.has(id)) ? [models[model]!.members!] : [],
    );
    return { kind: 'read', model: answer.model, links: { waiting: answer.waiting, sources } };
  });
}

const missingIn = ({ waiting }: ReadModelAnswer): string[] => waiting.flatMap(({ missing }) => missing);
