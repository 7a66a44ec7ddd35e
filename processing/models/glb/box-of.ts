type Point = readonly [x: number, y: number, z: number];

/** The box around positions, three numbers each. */
export function boxOf(positions: ArrayLike<number>): readonly [min: Point, max: Point] {
  let [minX, minY, minZ] = [Infinity, Infinity, Infinity];
  let [maxX, maxY, maxZ] = [-Infinity, -Infinity, -Infinity];
  for (let i = 0; i < positions.length; i += 3) {
    const [x, y, z] = [positions[i]!, positions[i + 1]!, positions[i + 2]!];
    minX = Math.min(minX, x);
    minY = Math.min(minY, y);
    minZ = Math.min(minZ, z);
    maxX = Math.max(maxX, x);
    maxY = Math.max(maxY, y);
    maxZ = Math.max(maxZ, z);
  }
  return [
    [minX, minY, minZ],
    [maxX, maxY, maxZ],
  ];
}
