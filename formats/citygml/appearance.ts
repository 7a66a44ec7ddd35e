import type { Look } from '../city-object/city-object.ts';

/** What an appearance says of a surface. */
export interface AppearanceTarget {
  readonly look: Look;
  /** Image coordinates of rings by their ids. */
  readonly rings?: ReadonlyMap<string, Float32Array>;
  /** Or what image coordinates are projected by. Materials have neither. */
  readonly projection?: Projection | undefined;
}

/**
 * A 3 × 4 matrix, row by row. From a position in the order of the file, with a 1 behind it, it makes the image coordinates
 * times what it makes as the third.
 */
export type Projection = readonly number[];

export const isTexture = ({ rings, projection }: AppearanceTarget): boolean =>
  rings !== undefined || projection !== undefined;

/** Themes by name, and in each what it says of surfaces by their ids. */
export type Appearances = Map<string, Map<string, AppearanceTarget[]>>;

export function addTarget(
  appearances: Appearances,
  theme: string,
  id: string,
  target: AppearanceTarget,
): void {
  let targets = appearances.get(theme);
  if (targets === undefined) appearances.set(theme, (targets = new Map()));
  const known = targets.get(id);
  if (known === undefined) targets.set(id, [target]);
  else known.push(target);
}

/**
 * The theme to show: the one that is asked for, or else the one with most images, and of several the first by name.
 * Undefined if there is none.
 */
export function chooseTheme(
  sources: readonly Appearances[],
  ids: ReadonlyMap<string, unknown>,
  wanted: string | undefined,
): string | undefined {
  const counts = new Map<string, number>();
  for (const appearances of sources) {
    for (const [theme, targets] of appearances) {
      let count = counts.get(theme) ?? 0;
      const [few, many] = targets.size < ids.size ? [targets, ids] : [ids, targets];
      for (const id of few.keys())
        if (many.has(id)) count += (targets.get(id) ?? []).some(isTexture) ? 1000 : 1;
      counts.set(theme, count);
    }
  }
  if (wanted !== undefined) return counts.has(wanted) ? wanted : undefined;
  const used = [...counts].filter(([, count]) => count > 0);
  return used.toSorted(([a, n], [b, m]) => m - n || (a < b ? -1 : 1))[0]?.[0];
}
