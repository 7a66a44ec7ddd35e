import type { Hatch } from '@platen/contract/map-styles';

/** Styles of brushes of Qt, whose forward diagonals fall. */
export const brushStyles: Readonly<Record<Hatch['type'], string>> = {
  slash: 'b_diagonal',
  backslash: 'f_diagonal',
  diagonalCross: 'diagonal_x',
  vertical: 'vertical',
  horizontal: 'horizontal',
  cross: 'cross',
};

export const hatchTypeOf = (brush: string): Hatch['type'] | undefined =>
  (Object.keys(brushStyles) as Hatch['type'][]).find((type) => brushStyles[type] === brush);
