import type { Vector } from '../geodesy/geocentric.ts';

export interface BoundingSphere {
  readonly centre: Vector;
  /** Metres. */
  readonly radius: number;
}

/** The sphere around all positions whose centre is that of their box. @param positions x, y, z of each */
export function boundingSphereOf(positions: Float64Array): BoundingSphere {
  const middleOf = (axis: 0 | 1 | 2): number => {
    let [lowest, highest] = [Infinity, -Infinity];
    for (let i = axis; i < positions.length; i += 3) {
      const value = positions[i]!;
      if (value < lowest) lowest = value;
      if (value > highest) highest = value;
    }
    return (lowest + highest) / 2;
  };
  const centre = [middleOf(0), middleOf(1), middleOf(2)] as const;
  let square = 0;
  for (let i = 0; i < positions.length; i += 3) {
    const x = positions[i]! - centre[0];
    const y = positions[i + 1]! - centre[1];
    const z = positions[i + 2]! - centre[2];
    const distance = x * x + y * y + z * z;
    if (distance > square) square = distance;
  }
  return { centre, radius: Math.sqrt(square) };
}

const equatorialRadius = 6_378_137;
const polarRadius = 6_356_752.314245179;
/** What is this many radii away is never below the horizon: for tiles that no single point stands for. */
const farAway = 10_000;

/**
 * The point, in radii of the ellipsoid, that is below the horizon only if all positions are (Ring 2013, “Horizon culling”).
 * @param middle where the tile has its middle, for tiles so large that the centre of their box says nothing
 */
export function horizonPointOf(positions: Float64Array, centre: Vector, middle: Vector): Vector {
  const scaled = scale(centre);
  const isNearMiddleOfEarth = Math.hypot(...scaled) < 0.01;
  const direction = normalise(isNearMiddleOfEarth ? scale(middle) : scaled);
  let distance = 0;
  for (let i = 0; i < positions.length; i += 3)
    distance = Math.max(distance, horizonDistance(positions, i, direction));
  return [direction[0] * distance, direction[1] * distance, direction[2] * distance];
}

/** How far along a direction a point has to be to see the position at `i` over the ellipsoid. */
function horizonDistance(positions: Float64Array, i: number, direction: Vector): number {
  const x = positions[i]! / equatorialRadius;
  const y = positions[i + 1]! / equatorialRadius;
  const z = positions[i + 2]! / polarRadius;
  const length = Math.sqrt(x * x + y * y + z * z);
  const above = Math.max(1, length);
  const cosine = (x * direction[0] + y * direction[1] + z * direction[2]) / length;
  const sine = Math.sqrt(Math.max(0, 1 - cosine * cosine));
  const horizonCosine = 1 / above;
  const horizonSine = Math.sqrt(above * above - 1) * horizonCosine;
  const distance = 1 / (cosine * horizonCosine - sine * horizonSine);
  return distance > 0 ? Math.min(distance, farAway) : farAway;
}

function scale([x, y, z]: Vector): Vector {
  return [x / equatorialRadius, y / equatorialRadius, z / polarRadius];
}

function normalise([x, y, z]: Vector): Vector {
  const length = Math.hypot(x, y, z);
  return [x / length, y / length, z / length];
}
