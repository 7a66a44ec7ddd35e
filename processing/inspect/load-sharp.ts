import type sharp from 'sharp';

type Sharp = typeof sharp;

let loading: Promise<Sharp | undefined> | undefined;

/** For pictures alone: undefined where native code may not run, and then there is none. */
export function loadSharp(): Promise<Sharp | undefined> {
  loading ??= import('sharp').then(
    ({ default: loaded }) => {
      loaded.cache(false);
      loaded.concurrency(1);
      return loaded;
    },
    () => undefined,
  );
  return loading;
}
