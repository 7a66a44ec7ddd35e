/** Which side of a label is at the point, by where the label is. */
export const anchors = {
  above: 'bottom',
  below: 'top',
  left: 'right',
  right: 'left',
  centre: 'center',
} as const;

export const fontStacks = { sans: 'Noto Sans', serif: 'Noto Serif', mono: 'Noto Sans Mono' } as const;
