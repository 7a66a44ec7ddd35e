import { curveSide, type FeaturesOnCurve } from './feature-density.ts';

/** Features that are merged. */
export interface Group {
  /** Ordinal of the largest feature, whose attributes and id the merged one keeps. */
  leader: number;
  members: number;
}

/** Maximum distance along the curve between merged features of equal attributes: an eighth of a tile's side. */
const sameAttributesReach = (curveSide / 8) ** 2;

/**
 * Groups features of the same layer and type: those of equal attributes that are near each other and, as far as the
 * limits require, those with little spacing (feature-density.ts) from the previous group.
 * @returns the group of each feature, by ordinal; undefined if grouping is not enough
 */
export function groupNeighbours(
  curve: FeaturesOnCurve,
  maxBytes: number,
  maxFeatures: number,
): Map<number, Group> | undefined {
  if (fits(curve, 0, maxBytes, maxFeatures)) return groupBy(curve, 0);
  let low = 0;
  let high = 4 * curveSide * curveSide;
  if (!fits(curve, high, maxBytes, maxFeatures)) return undefined;
  for (let i = 0; i < 40 && high - low > 0.5; i++) {
    const spacing = Math.sqrt((low + 1) * (high + 1)) - 1;
    if (fits(curve, spacing, maxBytes, maxFeatures)) high = spacing;
    else low = spacing;
  }
  return groupBy(curve, high);
}

function fits(curve: FeaturesOnCurve, spacing: number, maxBytes: number, maxFeatures: number): boolean {
  let features = 0;
  let bytes = 0;
  visitWithHeads(curve, spacing, (ordinal, head) => {
    bytes += curve.weights[ordinal]! - (ordinal === head ? 0 : curve.tagWeights[ordinal]!);
    if (ordinal === head) features++;
  });
  return features <= maxFeatures && bytes <= maxBytes;
}

function groupBy(curve: FeaturesOnCurve, spacing: number): Map<number, Group> {
  const groups = new Map<number, Group>();
  visitWithHeads(curve, spacing, (ordinal, head) => {
    const group = ordinal === head ? { leader: ordinal, members: 0 } : groups.get(head)!;
    group.members++;
    if (curve.sizes[ordinal]! > curve.sizes[group.leader]!) group.leader = ordinal;
    groups.set(ordinal, group);
  });
  return groups;
}

/** Visits each feature along the curve with the first feature of its group. */
function visitWithHeads(
  { order, places, sizes, groupIds, attributeIds, attributeIdCount }: FeaturesOnCurve,
  spacing: number,
  visit: (ordinal: number, head: number) => void,
): void {
  const headOfGroup = new Map<number, number>();
  /** Ordinals plus 1. */
  const headOfAttributes = new Uint32Array(attributeIdCount);
  for (const ordinal of order) {
    const sameHead = headOfAttributes[attributeIds[ordinal]!]! - 1;
    let head = ordinal;
    if (sameHead >= 0 && places[ordinal]! - places[sameHead]! <= sameAttributesReach) head = sameHead;
    else {
      const groupHead = headOfGroup.get(groupIds[ordinal]!);
      if (groupHead !== undefined && places[ordinal]! - places[groupHead]! + sizes[ordinal]! < spacing)
        head = groupHead;
      else headOfGroup.set(groupIds[ordinal]!, ordinal);
      headOfAttributes[attributeIds[ordinal]!] = head + 1;
    }
    visit(ordinal, head);
  }
}
