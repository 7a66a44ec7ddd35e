interface Reads<Result> {
  readonly read: (number: number) => Promise<Result>;
  /** The first that is read. */
  readonly next: number;
  readonly count: number;
  /** At most so many run at a time. */
  readonly atOnce: number;
}

/** Reads numbered things in their order, some of them ahead of the one that is asked for. @returns what gives the next */
export function createReadAhead<Result>({ read, next, count, atOnce }: Reads<Result>): () => Promise<Result> {
  const running: Promise<Result>[] = [];
  let started = next;
  return () => {
    while (running.length < atOnce && started < count) {
      const one = read(started++);
      one.catch(() => {}); // whoever asks for it gets the error
      running.push(one);
    }
    return running.shift()!;
  };
}
