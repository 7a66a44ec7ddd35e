import { Type, type Static, type TObject, type TProperties, type TSchema } from 'typebox';

export const Id = Type.String({ minLength: 1, maxLength: 64, description: 'Opaque identifier' });

/** ISO 8601 UTC date-time with milliseconds. */
export const Timestamp = Type.String({ format: 'date-time', description: 'ISO 8601 UTC with milliseconds' });

/** A free-form object: every key and their order are kept (at most 1 MiB, 64 levels deep). */
export const FreeForm = Type.Record(Type.String(), Type.Unknown(), {
  description: 'Free-form; kept verbatim',
});
export type FreeForm = Static<typeof FreeForm>;

export const Name = Type.String({ minLength: 1, maxLength: 255 });
export const Description = Type.String({ maxLength: 10_000 });

/** west, south, east, north in degrees; west greater than east crosses the antimeridian. */
export const Bbox = Type.Array(Type.Number({ minimum: -180, maximum: 180 }), {
  minItems: 4,
  maxItems: 4,
  description: 'west, south, east, north in degrees; west > east crosses the antimeridian',
});

/** The read-only fields of every resource. */
export const stamps = {
  _id: Id,
  createdAt: Timestamp,
  updatedAt: Timestamp,
  createdBy: Type.String(),
  updatedBy: Type.String(),
  revision: Type.Integer({ minimum: 1, description: 'Number of changes; also the ETag' }),
};

/** Accepts and ignores read-only fields in a PUT body, so that a GET can be modified and put back. */
export function change<P extends TProperties>(fields: P, serviceSet: TProperties) {
  const ignored = Object.fromEntries(
    Object.keys(serviceSet)
      .filter((name) => !(name in fields))
      .map((name) => [
        name,
        Type.Optional(Type.Unknown({ description: 'Set by the service; ignored here' })),
      ]),
  );
  const object = Type.Partial(Type.Object(fields));
  return Type.Object(
    { ...ignored, ...object.properties },
    { additionalProperties: false },
  ) as unknown as typeof object;
}

/** An object that refuses unknown keys. */
export function strict<P extends TProperties>(fields: P): TObject<P> {
  return Type.Object(fields, { additionalProperties: false });
}

/** A plain `enum` of strings, which every client generator understands. */
export function oneOf<const Values extends readonly string[]>(values: Values, description?: string) {
  return Type.Unsafe<Values[number]>({
    type: 'string',
    enum: [...values],
    ...(description !== undefined && { description }),
  });
}

/** The envelope of every list. */
export function page<T extends TSchema>(item: T) {
  return Type.Object({
    items: Type.Array(item),
    limit: Type.Integer(),
    page: Type.Integer(),
    totalCount: Type.Integer(),
    totalPages: Type.Integer(),
  });
}
export interface Page<T> {
  items: T[];
  limit: number;
  page: number;
  totalCount: number;
  totalPages: number;
}

const several = (description: string, options = {}) =>
  Type.Optional(Type.Array(Type.String({ maxLength: 1024 }), { maxItems: 100, description, ...options }));

/** A list in a query whose values may also be separated by commas: `type=cog,wms` is `type=cog&type=wms`. */
export const separatedByCommas = { 'x-separator': ',' } as const;

/** Any of the values, in a query. */
export const someOf = <T extends TSchema>(item: T, maxItems: number, description?: string) =>
  Type.Optional(
    Type.Array(item, { maxItems, ...(description !== undefined && { description }), ...separatedByCommas }),
  );

/** The kinds of list filters; each may be repeated, which means "any of". */
export const filter = {
  text: () => several('Case-insensitive substring'),
  /** Of identifiers and other names without commas. */
  exact: () => several('Exact value', separatedByCommas),
  label: () => several('Exact value'),
  time: () =>
    several(
      'A timestamp, or an interval from/to with .. for an open end; or bounds that all apply: gt:, gte:, lt: or lte: and a timestamp',
      separatedByCommas,
    ),
  bbox: () =>
    Type.Optional(
      Type.String({ maxLength: 200, description: 'w,s,e,n in degrees; finds everything that intersects' }),
    ),
};

/** Filters of tasks and jobs on what they have in common. */
export const workFilters = {
  jobType: filter.exact(),
  label: filter.label(),
  labels: Type.Optional(
    Type.Array(Type.String({ maxLength: 1024 }), { maxItems: 100, description: 'The same as `label`' }),
  ),
  priority: someOf(Type.Number(), 100),
};

/** Filters on the fields that every resource has. */
export const stampFilters = {
  createdAt: filter.time(),
  createdBy: filter.exact(),
  updatedAt: filter.time(),
  updatedBy: filter.exact(),
};

/** The page of a list, without sorting. */
export const paging = {
  limit: Type.Integer({ minimum: 1, maximum: 1000, default: 20 }),
  page: Type.Integer({ minimum: 0, maximum: 2_147_483_647, default: 0 }),
};

/** The query of a list: paging, sorting by the named fields, and filters. */
export function listQuery<const Fields extends readonly string[], P extends TProperties>(
  orderBy: Fields,
  filters: P,
) {
  return Type.Object(
    {
      ...paging,
      sort: Type.Optional(oneOf(['asc', 'desc'])),
      orderBy: someOf(oneOf(orderBy), 5),
      ...filters,
    },
    { additionalProperties: false },
  );
}

/** The paging and sorting parameters of every list. */
export interface ListQuery {
  readonly limit: number;
  readonly page: number;
  readonly sort?: 'asc' | 'desc';
  readonly orderBy?: readonly string[];
}

/** The reply of a DELETE. */
export const Deleted = Type.Object({ numberOfDeletedItems: Type.Integer() });
export type Deleted = Static<typeof Deleted>;
