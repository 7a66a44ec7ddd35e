import type { LabelRule } from '@platen/contract/map-styles';
import { styleDefaults } from './style-defaults.ts';

type Text = 'attribute' | 'font' | 'size' | 'isBold' | 'colour' | 'haloColour';

/** How the text of a label is drawn, with all defaults. */
export const labelOptions = ({
  attribute,
  font = 'sans',
  size = styleDefaults.labelSize,
  isBold = false,
  colour = styleDefaults.labelColour,
  haloColour = styleDefaults.haloColour,
}: LabelRule): Required<Pick<LabelRule, Text>> => ({ attribute, font, size, isBold, colour, haloColour });

/** Families of CSS and SLD. */
export const fontFamilies = { sans: 'sans-serif', serif: 'serif', mono: 'monospace' } as const;

/** The font of a family, by the names that programs have for it; undefined for others. */
export function fontOf(family: string): keyof typeof fontFamilies | undefined {
  switch (family.trim().toLowerCase().replaceAll(/[ -]/g, '')) {
    case 'sans':
    case 'sansserif':
      return 'sans';
    case 'serif':
      return 'serif';
    case 'mono':
    case 'monospace':
    case 'monospaced':
      return 'mono';
    default:
      return undefined;
  }
}
