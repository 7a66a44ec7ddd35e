import { alternativesOf, fieldsOf, type Field, type Fields, type Shape } from './testing-facts.ts';

type Values = Readonly<Record<string, unknown>>;

const time = '2026-01-01T00:00:00.000Z';

/** Values of fields and parameters that are the same wherever they occur. */
const common: Values = {
  limit: 5,
  page: 0,
  orderBy: 'createdAt',
  sort: 'desc',
  createdAt: `gte:${time}`,
  updatedAt: `gte:${time}`,
  startTime: `gte:${time}`,
  endTime: `gte:${time}`,
  bbox: [-10, -10, 10, 10],
  priority: 2,
  status: 3,
  permissions: 'getProject',
  permission: 'getProject',
  email: 'someone@example.org',
  mapVersion: '^6.0',
  version: '^1.0.0',
  scheduled: '2099-01-01T00:00:00.000Z',
  cron: '0 4 * * *',
  debugLevel: 1,
  port: 2222,
  host: 'maps.example.org',
  numThreads: 2,
};

const byType: Values = { string: 'x', number: 1, integer: 1, boolean: true, object: {} };

/** A value for one field; a list where the reference has one. */
function valueOf({ name, isList, shape }: Field, values: Values): unknown {
  const given = name in values ? values[name] : common[name];
  if (given !== undefined) return isList && !Array.isArray(given) ? [given] : given;
  const [first] = alternativesOf(shape);
  const one = typeof first === 'string' ? (byType[first] ?? first.split('|')[0]) : sampleOf(first!, values);
  return isList ? [one] : one;
}

/** An object with all fields that the reference documents. A value of null leaves a field out. */
export function sampleOf(fields: Fields, values: Values): Values {
  const all = fieldsOf(fields).filter(({ name }) => values[name] !== null);
  return Object.fromEntries(all.map((field) => [field.name, valueOf(field, values)]));
}

/** A query with all parameters that the reference documents: lists that it explodes are repeated. */
export function queryOf(fields: Fields, values: Values): string {
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries(sampleOf(fields, values))) {
    const isSeparated = Object.keys(fields).some((key) => key.startsWith(`${name}[,]`));
    const list = [value].flat();
    for (const one of isSeparated ? [list.join(',')] : list) query.append(name, String(one));
  }
  return query.size > 0 ? `?${query}` : '';
}

/** Where an answer lacks a required field of the reference or has another type. */
export function answerDifferences(answer: unknown, shape: Shape, path = 'answer'): string[] {
  const results = alternativesOf(shape).map((one) =>
    typeof one === 'string' ? typeDifference(answer, one, path) : fieldDifferences(answer, one, path),
  );
  // the alternative that fits best
  return results.toSorted((a, b) => a.length - b.length)[0] ?? [];
}

function fieldDifferences(answer: unknown, fields: Fields, path: string): string[] {
  if (typeof answer !== 'object' || answer === null || Array.isArray(answer)) return [path];
  return fieldsOf(fields).flatMap(({ name, isList, isRequired, shape }) => {
    const value = (answer as Values)[name];
    const at = `${path}.${name}`;
    if (value === undefined) return isRequired ? [at] : [];
    if (!isList) return answerDifferences(value, shape, at);
    if (!Array.isArray(value)) return [`${at}[]`];
    const differences = value.flatMap((item) => answerDifferences(item, shape, `${at}[]`));
    return Array.from(new Set(differences));
  });
}

function typeDifference(value: unknown, type: string, path: string): string[] {
  const fits =
    type in byType
      ? type === 'integer'
        ? Number.isInteger(value)
        : type === 'object'
          ? typeof value === 'object' && value !== null && !Array.isArray(value)
          : typeof value === type
      : true;
  return fits ? [] : [path];
}
