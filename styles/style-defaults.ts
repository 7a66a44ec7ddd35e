import type { StyledShape } from '@platen/contract/map-styles';

/** What applies where a style says nothing. Sizes and widths are in pixels. */
export const styleDefaults = {
  /** Of new styles; a line of it stands out from every base map by 3 : 1. */
  firstColour: '#0e7a89',
  colour: '#888888',
  pointSize: 9,
  markerSize: 24,
  lineWidth: 2.5,
  markerOutlineColour: '#ffffff',
  hatchWidth: 1.5,
  /** Of the square that repeats. */
  hatchSpacing: 10,
  labelSize: 13,
  labelColour: '#24323a',
  haloColour: '#ffffff',
  /** How far the halo of a label reaches. */
  haloWidth: 1.5,
} as const;

/** Areas let the map below show through. */
export const defaultOpacity = (shape: StyledShape): number =>
  shape === 'area' || shape === 'mixed' ? 0.75 : 1;

export const defaultOutlineWidth = (shape: StyledShape): number =>
  shape === 'area' || shape === 'line' ? 1 : 1.5;
