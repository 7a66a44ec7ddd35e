/** The attributes of vector tiles in which a job placed labels. */
export const placedLabels = {
  /** The smallest zoom at which the label of a feature fits; features have it in the tiles of this and higher zooms. */
  zoom: 'label_zoom',
  /** True for points that only say where the label of a line or an area is. */
  only: 'label_only',
} as const;

/** Whether a job placed labels in the tiles of a datasource with these properties. */
export const hasPlacedLabels = ({ labels }: Readonly<Record<string, unknown>>): boolean =>
  typeof labels === 'object' && labels !== null;
