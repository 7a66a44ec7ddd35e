interface ClassTitle {
  /** Of the class. */
  readonly index: number;
  /** Of all classes. */
  readonly count: number;
  readonly title: string | undefined;
}

/** The titles of classes with another one; empty ones are made of numbers. */
export const withTitle = (titles: readonly string[] = [], { index, count, title }: ClassTitle): string[] =>
  Array.from({ length: count }, (_, i) => (i === index ? (title ?? '') : (titles[i] ?? '')));
