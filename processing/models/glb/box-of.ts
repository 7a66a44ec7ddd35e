type Point = readonly [x: number, y: number, z: number];

/** The box around positions, three numbers each. */
export function boxOf(positions: ArrayLike<number>): readonly [min: Point, max: Point] {
  let minX = Infinity;
  let minY = Infinity;
  let minZ = Infinity;
  let maxX = -Infinity;
  let maxY = -Infinity;
  let maxZ = -Infinity;
  for (let i = 0; i < positions.length; i += 3) {
    const x = positions[i]!;
    const y = positions[i + 1]!;
    const z = positions[i + 2]!;
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
