import type { LabelRule } from '@platen/contract/map-styles';
import { styleDefaults } from './style-defaults.ts';

/** How a label is drawn, with all defaults; `maxDistance` has none. */
export const labelOptions = ({
  attribute,
  size = styleDefaults.labelSize,
  isBold = false,
  colour = styleDefaults.labelColour,
  haloColour = styleDefaults.haloColour,
}: LabelRule): Required<Omit<LabelRule, 'maxDistance'>> => ({ attribute, size, isBold, colour, haloColour });
