/** A change to an ordered list of ids that can be repeated on a newer version of the list. */
export type OrderChange = (ids: readonly string[]) => readonly string[];

export const adding =
  (added: readonly string[]): OrderChange =>
  (ids) => [...ids, ...added.filter((id) => !ids.includes(id))];

export const removing =
  (id: string): OrderChange =>
  (ids) =>
    ids.filter((one) => one !== id);

/** Inserts an id at its former index, or at the end of a shorter list. */
export const insertingAt =
  (id: string, index: number): OrderChange =>
  (ids) =>
    [...ids.slice(0, index), id, ...ids.slice(index)].filter(isFirst);

/** Moves an id to the position of another one, whichever direction it comes from. */
export const movingTo =
  (id: string, place: string): OrderChange =>
  (ids) => {
    const [from, to] = [ids.indexOf(id), ids.indexOf(place)];
    return from === -1 || to === -1 ? ids : ids.toSpliced(from, 1).toSpliced(to, 0, id);
  };

const isFirst = (id: string, index: number, ids: readonly string[]) => ids.indexOf(id) === index;
