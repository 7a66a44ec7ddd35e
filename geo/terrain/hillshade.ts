/** Degrees clockwise from the north: the light from the north-west, and from its sides. */
const lights = [225, 270, 315, 360] as const;
const altitude = (40 * Math.PI) / 180;

export interface ShadedCells {
  /** Cells on a side, without the ring around them. */
  readonly side: number;
  /** Metres from cell to cell. */
  readonly spacing: number;
}

/**
 * Light on each cell, from 0 to 1; NaN without a height. Slopes by Horn (1981), lights from several directions by how much the
 * slope faces them (Mark 1992).
 * @param cells with a ring of one cell around them
 */
export function hillshade(cells: Float32Array, { side, spacing }: ShadedCells): Float32Array {
  const width = side + 2;
  const shades = new Float32Array(side * side);
  for (let row = 0, at = 0; row < side; row++) {
    for (let column = 0; column < side; column++, at++) {
      const center = (row + 1) * width + column + 1;
      shades[at] = shadeAt(cells, { center, width, spacing });
    }
  }
  return shades;
}

function shadeAt(
  cells: Float32Array,
  { center, width, spacing }: { readonly center: number; readonly width: number; readonly spacing: number },
): number {
  const own = cells[center]!;
  if (own !== own) return NaN;
  const heightAt = (offset: number): number => {
    const height = cells[center + offset]!;
    return height === height ? height : own;
  };
  const [northWest, north, northEast] = [heightAt(-width - 1), heightAt(-width), heightAt(-width + 1)];
  const [southWest, south, southEast] = [heightAt(width - 1), heightAt(width), heightAt(width + 1)];
  const eastward =
    (northEast + 2 * heightAt(1) + southEast - (northWest + 2 * heightAt(-1) + southWest)) / (8 * spacing);
  const northward = (northWest + 2 * north + northEast - (southWest + 2 * south + southEast)) / (8 * spacing);
  const slope = Math.atan(Math.hypot(eastward, northward));
  // clockwise from the north, downhill
  const aspect = Math.atan2(-eastward, -northward);
  let [sum, weights] = [0, 0];
  for (const azimuth of lights) {
    const turn = aspect - (azimuth * Math.PI) / 180;
    const light =
      Math.sin(altitude) * Math.cos(slope) + Math.cos(altitude) * Math.sin(slope) * Math.cos(turn);
    const weight = Math.sin(turn) ** 2 + 0.1;
    sum += weight * Math.max(0, light);
    weights += weight;
  }
  return sum / weights;
}
