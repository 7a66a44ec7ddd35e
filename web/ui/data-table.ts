export interface Column {
  readonly key: string;
  readonly label: string;
  /** Width, alignment, and from which width of the page on it is shown at all. */
  readonly class?: string;
  readonly isSortable?: boolean;
  /** Said to screen readers alone. */
  readonly isLabelHidden?: boolean;
}

export interface Sorting {
  readonly by: string;
  readonly direction: 'asc' | 'desc';
}
