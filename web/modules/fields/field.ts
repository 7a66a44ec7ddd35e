/** The control that edits an option. */
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
  | 'card'
  | 'time'
  | 'search'
  | 'legend'
  | 'json';

export interface Field {
  /** The path within the item; its texts have the key `modules.fields.<path joined by _>`. */
  readonly path: readonly string[];
  readonly kind: FieldKind;
  readonly choices?: readonly (string | number)[];
  /** The list whose items can be named. */
  readonly list?: string;
  readonly min?: number;
  readonly max?: number;
  /** The default when it is not set. */
  readonly initial?: unknown;
  /** Rarely needed: visible on request, or when set. */
  readonly isAdvanced?: boolean;
}

type FieldOptions = Omit<Partial<Field>, 'path' | 'kind'>;

/** A field by its path, such as `properties.title`. */
export const field = (path: string, kind: FieldKind, options: FieldOptions = {}): Field => ({
  path: path.split('.'),
  kind,
  ...options,
});

export const advanced = (path: string, kind: FieldKind, options: FieldOptions = {}): Field =>
  field(path, kind, { ...options, isAdvanced: true });
