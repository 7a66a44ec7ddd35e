import { mapInTurns } from '../base/map-in-turns.ts';

/** The JSON of a page of a list. Its items may be large, so the event loop turns between them. */
export async function stringifyPage(page: { readonly items: readonly unknown[] }): Promise<string> {
  const items = await mapInTurns(page.items, (item) => JSON.stringify(item));
  const fields = Object.entries(page).flatMap(([name, value]) => {
    const text = name === 'items' ? `[${items.join(',')}]` : JSON.stringify(value);
    return text === undefined ? [] : `${JSON.stringify(name)}:${text}`;
  });
  return `{${fields.join(',')}}`;
}

export const isPage = (body: object): body is { readonly items: readonly unknown[] } =>
  Array.isArray((body as { items?: unknown }).items);
