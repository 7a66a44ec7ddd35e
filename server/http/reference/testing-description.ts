import { apiPrefix } from '@platen/contract/endpoint';
import {
  alternativesOf,
  fieldsOf,
  nameOf,
  shapeOf,
  type Difference,
  type ReferenceOperation,
  type Shape,
} from './testing-facts.ts';

interface Schema {
  readonly $ref?: string;
  readonly type?: string | readonly string[];
  readonly enum?: readonly unknown[];
  readonly const?: unknown;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly items?: Schema;
  readonly anyOf?: readonly Schema[];
  readonly oneOf?: readonly Schema[];
  readonly allOf?: readonly Schema[];
}

type Media = Readonly<Record<string, { readonly schema: Schema }>>;

interface Operation {
  readonly parameters: readonly { readonly name: string; readonly in: string }[];
  readonly requestBody?: { readonly content: Media };
  readonly responses: Readonly<Record<string, { readonly content?: Media }>>;
}

interface Document {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
  readonly components: { readonly schemas: Readonly<Record<string, Schema>> };
}

/** What our description lacks of an operation of the reference, or says otherwise. */
export function differencesInDescription(
  document: unknown,
  operations: readonly ReferenceOperation[],
): Difference[] {
  const { paths, components } = document as Document;
  const ours = new Map(
    Object.entries(paths).flatMap(([path, methods]) =>
      Object.entries(methods).map(([method, operation]) => [
        nameOf({ method: method.toUpperCase(), path: path.slice(apiPrefix.length) }),
        operation,
      ]),
    ),
  );
  return operations.flatMap((operation) => {
    const own = ours.get(nameOf(operation));
    const texts = own === undefined ? ['missing'] : differencesOf(operation, own, components.schemas);
    return texts.map((difference) => ({ operation: nameOf(operation), difference }));
  });
}

type Schemas = Document['components']['schemas'];

function differencesOf(
  { query = {}, body, answer, status }: ReferenceOperation,
  ours: Operation,
  schemas: Schemas,
): string[] {
  const known = new Set(ours.parameters.map(({ name }) => name));
  const unknown = fieldsOf(query).filter(({ name }) => !known.has(name));
  const response = ours.responses[status];
  const found = [
    ...unknown.map(({ name }) => `query ${name}`),
    ...(response === undefined ? [`status ${status}`] : []),
  ];
  const sent = body && shapeOf(body);
  if (sent) {
    const schema = ours.requestBody?.content['application/json']?.schema;
    found.push(...compare({ ...sent, schema, schemas, path: 'body' }));
  } else if (body?.form && !ours.requestBody?.content['multipart/form-data']) found.push('body form');
  const received = answer && shapeOf(answer);
  const contents = Object.values(ours.responses).map(({ content }) => content);
  const content = response?.content ?? contents.find((one) => one?.['application/json'])!;
  if (received) {
    const schema = content?.['application/json']?.schema;
    found.push(...compare({ ...received, schema, schemas, path: 'answer' }));
  } else if (answer?.media && !content?.[answer.media]) found.push(`media ${answer.media}`);
  return found;
}

interface Comparison {
  readonly shape: Shape;
  readonly isList: boolean;
  readonly schema: Schema | undefined;
  readonly schemas: Schemas;
  readonly path: string;
}

/** The paths of all fields of the shape that the schema lacks or has with another type. */
function compare({ shape, isList, schema, schemas, path }: Comparison): string[] {
  if (schema === undefined) return [path];
  const own = variantsOf(schema, schemas);
  if (isList) {
    const items = own.flatMap(({ items: one }) => one ?? []);
    if (items.length === 0) return [`${path}[]`];
    return compare({ shape, isList: false, schema: { anyOf: items }, schemas, path: `${path}[]` });
  }
  const alternatives = alternativesOf(shape);
  const missing = alternatives.flatMap((one) => {
    if (typeof one === 'string') return own.some((variant) => takes(variant, one)) ? [] : [path];
    return fieldsOf(one).flatMap((field) => {
      const found = own.flatMap(({ properties }) => properties?.[field.name] ?? []);
      const at = `${path}.${field.name}`;
      if (found.length === 0) return own.some(isFree) || verbatim.test(path) ? [] : [at];
      return compare({ ...field, schema: { anyOf: found }, schemas, path: at });
    });
  });
  return [...new Set(missing)];
}

function variantsOf(schema: Schema, schemas: Schemas): Schema[] {
  if (schema.$ref !== undefined) return variantsOf(schemas[schema.$ref.split('/').at(-1)!]!, schemas);
  const { anyOf = [], oneOf = [], allOf } = schema;
  if (allOf) {
    const parts = allOf.flatMap((one) => variantsOf(one, schemas));
    return [{ type: 'object', properties: Object.assign({}, ...parts.map((part) => part.properties)) }];
  }
  const variants = [...anyOf, ...oneOf].flatMap((one) => variantsOf(one, schemas));
  return variants.length > 0 ? variants : [schema];
}

/** Takes whatever is sent: a free-form object, or a field that is ignored. */
const isFree = ({ type, properties, const: value, enum: values }: Schema): boolean =>
  properties === undefined &&
  (type === 'object' || (type === undefined && value === undefined && values === undefined));

/** Objects of which other keys than those that are described are kept as they were sent. */
const verbatim = /\.typeProperties$/;

const types: ReadonlySet<string> = new Set(['string', 'number', 'integer', 'boolean', 'object']);

function takes(schema: Schema, kind: string): boolean {
  if (!types.has(kind)) {
    const values = schema.enum ?? (schema.const === undefined ? undefined : [schema.const]);
    return values === undefined || kind.split('|').some((one) => values.includes(one));
  }
  if (schema.type === undefined) {
    const values = schema.enum ?? (schema.const === undefined ? [] : [schema.const]);
    return values.length === 0 || values.some((value) => typeof value === kind);
  }
  const own = [schema.type].flat().map((type) => (type === 'integer' ? 'number' : type));
  return own.includes(kind === 'integer' ? 'number' : kind);
}
