import type { CityGeometry, CityPart } from '@platen/formats/city-object/city-object';
import { isConstituent, isInterior } from '@platen/formats/city-object/object-classes';

export interface GeometryChoice {
  /** Tenths of the highest level of detail that is used; Infinity for whatever there is. */
  readonly maxLod: number;
  readonly hasInteriors: boolean;
}

/**
 * The geometries of an object that are drawn: of each part the highest level of detail. What makes up a whole is drawn
 * in its place if it is finer, and left out if the whole is.
 */
export function selectGeometries(
  parts: readonly CityPart[],
  geometries: readonly CityGeometry[],
  { maxLod, hasInteriors }: GeometryChoice,
): CityGeometry[] {
  const inside = parts.map(({ class: name, parent }) => isInterior(name) && parent >= 0);
  for (const [i, { parent }] of parts.entries()) if (parent >= 0 && inside[parent]!) inside[i] = true;
  const usable = geometries.filter(({ part, lod }) => lod <= maxLod && (hasInteriors || !inside[part]!));
  const best = parts.map((_, part) =>
    Math.max(-1, ...usable.filter((one) => one.part === part).map(({ lod }) => lod)),
  );
  const below = best.map(() => -1);
  for (let i = parts.length - 1; i > 0; i--) {
    const { parent, class: name } = parts[i]!;
    if (parent >= 0 && isConstituent(name)) below[parent] = Math.max(below[parent]!, best[i]!, below[i]!);
  }
  const covered = parts.map(() => false);
  for (const [i, { parent, class: name }] of parts.entries())
    if (parent >= 0 && isConstituent(name)) covered[i] = covered[parent]! || best[parent]! > best[i]!;
  return parts.flatMap((_, part) => {
    if (best[part]! < below[part]! || covered[part]!) return [];
    return withoutDoubles(usable.filter((one) => one.part === part && one.lod === best[part]));
  });
}

/** The same in several forms: a solid beside its surfaces, or an outline at the ground and at the roof. */
function withoutDoubles(geometries: readonly CityGeometry[]): readonly CityGeometry[] {
  if (geometries.length < 2) return geometries;
  if (geometries[0]!.lod === 0) return geometries.slice(0, 1);
  const isThematic = ({ surfaces }: CityGeometry): boolean => surfaces.roles.some((role) => role !== 0);
  if (geometries.some(isThematic))
    return geometries.filter((one) => isThematic(one) || !one.isSolid || one.anchor !== undefined);
  const solid = geometries.find(({ isSolid }) => isSolid);
  return solid === undefined
    ? geometries
    : geometries.filter(({ isSolid, anchor }) => isSolid || anchor !== undefined);
}
