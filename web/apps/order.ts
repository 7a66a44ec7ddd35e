/** A change of an ordered list of ids, which can be made again on what somebody else has made of the list meanwhile. */
export type OrderChange = (ids: readonly string[]) => readonly string[];

export const adding =
  (added: readonly string[]): OrderChange =>
  (ids) => [...ids, ...added.filter((id) => !ids.includes(id))];

export const removing =
  (id: string): OrderChange =>
  (ids) =>
    ids.filter((one) => one !== id);

/** Puts one back where it was, or as near to that as the list is long now. */
export const insertingAt =
  (id: string, index: number): OrderChange =>
  (ids) =>
    [...ids.slice(0, index), id, ...ids.slice(index)].filter(isFirst);

/** To the place of another one, before or behind it, whichever way it came from. */
export const movingTo =
  (id: string, place: string): OrderChange =>
  (ids) => {
    const [from, to] = [ids.indexOf(id), ids.indexOf(place)];
    return from === -1 || to === -1 ? ids : ids.toSpliced(from, 1).toSpliced(to, 0, id);
  };

const isFirst = (id: string, index: number, ids: readonly string[]) => ids.indexOf(id) === index;
