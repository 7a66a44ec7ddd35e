const gridSteps = 65_535;

/**
 * Metres of a step in which 16 bits hold positions over a size. Steps are powers of two, so that tiles which begin at
 * multiples of theirs round what they share alike.
 */
export const stepFor = (sizeMetres: number): number =>
  2 ** Math.ceil(Math.log2(sizeMetres / (gridSteps - 1)));
