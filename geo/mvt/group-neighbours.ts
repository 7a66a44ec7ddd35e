import { curveSide, type AlongCurve } from './crowd.ts';

/** Features that become one. */
export interface Group {
  /** The ordinal of the largest, whose attributes and id the whole gets. */
  leader: number;
  members: number;
}

/** How far apart, along the curve, features of equal attributes may lie to become one: an eighth of a tile's side. */
const likeReach = (curveSide / 8) ** 2;

/**
 * Puts features of the same layer and type in groups: those of equal attributes that are near each other, and, as far
 * as the limits ask for it, those that have little room (see crowd.ts) since the group before them.
 * @returns the group of each feature, by its ordinal; undefined if that is not enough
 */
export function groupNeighbours(
  curve: AlongCurve,
  mostBytes: number,
  mostFeatures: number,
): Map<number, Group> | undefined {
  if (fits(curve, 0, mostBytes, mostFeatures)) return groupBy(curve, 0);
  let low = 0;
  let high = 4 * curveSide * curveSide;
  if (!fits(curve, high, mostBytes, mostFeatures)) return undefined;
  for (let i = 0; i < 40 && high - low > 0.5; i++) {
    const room = Math.sqrt((low + 1) * (high + 1)) - 1;
    if (fits(curve, room, mostBytes, mostFeatures)) high = room;
    else low = room;
  }
  return groupBy(curve, high);
}

function fits(curve: AlongCurve, room: number, mostBytes: number, mostFeatures: number): boolean {
  let features = 0;
  let bytes = 0;
  walk(curve, room, (ordinal, head) => {
    bytes += curve.weights[ordinal]! - (ordinal === head ? 0 : curve.tagWeights[ordinal]!);
    if (ordinal === head) features++;
  });
  return features <= mostFeatures && bytes <= mostBytes;
}

function groupBy(curve: AlongCurve, room: number): Map<number, Group> {
  const groups = new Map<number, Group>();
  walk(curve, room, (ordinal, head) => {
    const group = ordinal === head ? { leader: ordinal, members: 0 } : groups.get(head)!;
    group.members++;
    if (curve.sizes[ordinal]! > curve.sizes[group.leader]!) group.leader = ordinal;
    groups.set(ordinal, group);
  });
  return groups;
}

/** Tells of each feature along the curve which one its group begins with. */
function walk(
  { order, places, sizes, kins, likes, likeCount }: AlongCurve,
  room: number,
  visit: (ordinal: number, head: number) => void,
): void {
  const ofKin = new Map<number, number>();
  /** Plus 1. */
  const ofLike = new Uint32Array(likeCount);
  for (const ordinal of order) {
    const like = ofLike[likes[ordinal]!]! - 1;
    let head = ordinal;
    if (like >= 0 && places[ordinal]! - places[like]! <= likeReach) head = like;
    else {
      const kin = ofKin.get(kins[ordinal]!);
      if (kin !== undefined && places[ordinal]! - places[kin]! + sizes[ordinal]! < room) head = kin;
      else ofKin.set(kins[ordinal]!, ordinal);
      ofLike[likes[ordinal]!] = head + 1;
    }
    visit(ordinal, head);
  }
}
