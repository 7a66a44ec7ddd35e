import { unitsPerMetre, type LocalBox, type RootCube } from '../place/root-cube.ts';

/** Of its greatest side, by which the edges of a sheet may bend out of the box around a few of its places. */
const bendShare = 0.01;
const marginMetres = 1;
/** The edges of larger sheets bend more. */
const maxMetres = 200_000;

const everywhere: LocalBox = {
  min: [-Infinity, -Infinity, -Infinity],
  max: [Infinity, Infinity, Infinity],
};

/** A box around all points of a sheet. @param box of some of its places */
export function reachOf({ min, max }: LocalBox): LocalBox {
  const side = Math.max(...max.map((high, axis) => high - min[axis]!));
  if (side > maxMetres) return everywhere;
  const margin = marginMetres + side * bendShare;
  return {
    min: [min[0] - margin, min[1] - margin, min[2] - margin],
    max: [max[0] + margin, max[1] + margin, max[2] + margin],
  };
}

export function touches({ min: low, max: high }: LocalBox, { min, max }: LocalBox): boolean {
  return (
    low[0] <= max[0] &&
    high[0] >= min[0] &&
    low[1] <= max[1] &&
    high[1] >= min[1] &&
    low[2] <= max[2] &&
    high[2] >= min[2]
  );
}

export function boxOfRoot({ corner, sideBits }: RootCube): LocalBox {
  const side = 2 ** sideBits / unitsPerMetre;
  return { min: corner, max: [corner[0] + side, corner[1] + side, corner[2] + side] };
}
