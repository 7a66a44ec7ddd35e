import type sharp from 'sharp';

type Sharp = typeof sharp;

let loading: Promise<Sharp | undefined> | undefined;

/** Loads sharp, which is used for previews only; undefined where native code may not run. */
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
