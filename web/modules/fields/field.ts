/** How something of an item is edited. */
export type FieldKind =
  | 'text'
  | 'longText'
  | 'number'
  | 'share'
  | 'yesNo'
  | 'choice'
  | 'colour'
  | 'address'
  | 'datasource'
  | 'texts'
  | 'numbers'
  | 'name'
  | 'names'
  | 'extent'
  | 'projection'
  | 'style'
  | 'json';

export interface Field {
  /** Below the item; its words have the key `modules.fields.<path divided by _>`. */
  readonly path: readonly string[];
  readonly kind: FieldKind;
  readonly choices?: readonly (string | number)[];
  /** The list whose items are named. */
  readonly list?: string;
  readonly min?: number;
  readonly max?: number;
  /** What holds while it is not given. */
  readonly initial?: unknown;
  /** Seldom needed: shown when it is asked for, or given. */
  readonly isAdvanced?: boolean;
}

type More = Omit<Partial<Field>, 'path' | 'kind'>;

/** `properties.title` is a path. */
export const field = (path: string, kind: FieldKind, more: More = {}): Field => ({
  path: path.split('.'),
  kind,
  ...more,
});

export const advanced = (path: string, kind: FieldKind, more: More = {}): Field =>
  field(path, kind, { ...more, isAdvanced: true });
