/** Works on items as they come, at most `max` at a time. After a failure it takes no more and waits for the others. */
export async function forEachParallel<Item>(
  items: Iterable<Item> | AsyncIterable<Item>,
  max: number,
  work: (item: Item) => Promise<void>,
): Promise<void> {
  const waiting = Symbol.asyncIterator in items ? items[Symbol.asyncIterator]() : items[Symbol.iterator]();
  let isFailed = false;
  const workSome = async (): Promise<void> => {
    try {
      while (!isFailed) {
        const { done, value } = await waiting.next();
        if (done || isFailed) return;
        await work(value);
      }
    } catch (error) {
      isFailed = true;
      throw error;
    }
  };
  const ends = await Promise.allSettled(Array.from({ length: max }, workSome));
  const failed = ends.find((end) => end.status === 'rejected');
  if (!failed) return;
  await waiting.return?.();
  throw failed.reason;
}
