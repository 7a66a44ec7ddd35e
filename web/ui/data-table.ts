export interface Column {
  readonly key: string;
  readonly label: string;
  /** Classes for width, alignment, and the page width from which it is visible. */
  readonly class?: string;
  readonly isSortable?: boolean;
  /** Whether only screen readers get the label. */
  readonly isLabelHidden?: boolean;
}

export interface Sorting {
  readonly by: string;
  readonly direction: 'asc' | 'desc';
}
