import { mapInTurns } from '../base/map-in-turns.ts';

/** Writes JSON as `JSON.stringify` does. Lists in the body may be long, so the event loop turns between their items. */
export async function stringifyLists(body: object): Promise<string> {
  const fields: string[] = [];
  for (const [name, value] of Object.entries(body) as [string, unknown][]) {
    const text = Array.isArray(value) ? await stringifyList(value) : JSON.stringify(value);
    if (text !== undefined) fields.push(`${JSON.stringify(name)}:${text}`);
  }
  return `{${fields.join(',')}}`;
}

async function stringifyList(list: readonly unknown[]): Promise<string> {
  const items = await mapInTurns(list, (item) => JSON.stringify(item) ?? 'null');
  return `[${items.join(',')}]`;
}
