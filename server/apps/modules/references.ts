import { escapePointer } from '../../base/pointer.ts';

/** A datasource that a module's JSON names, and where. */
export interface DatasourceReference {
  readonly pointer: string;
  /** Anything, until it is checked. */
  readonly datasourceId: unknown;
}

/** User data and styles: a key of this name within them is not a reference. */
const opaque = new Set(['properties', 'features', 'style', 'highlightStyle']);

/** Every `datasourceId` in the layers, oblique collections and story of a module, tile providers included. */
export function datasourceReferences(content: Readonly<Record<string, unknown>>): DatasourceReference[] {
  const found: DatasourceReference[] = [];
  const walk = (value: unknown, pointer: string): void => {
    if (Array.isArray(value)) {
      for (const [index, item] of value.entries()) walk(item, `${pointer}/${index}`);
      return;
    }
    if (value === null || typeof value !== 'object') return;
    for (const [key, child] of Object.entries(value)) {
      if (key === 'datasourceId')
        found.push({ pointer: `${pointer}/datasourceId`, datasourceId: child as unknown });
      else if (!opaque.has(key)) walk(child, `${pointer}/${escapePointer(key)}`);
    }
  };
  for (const list of ['layers', 'obliqueCollections', 'story']) walk(content[list], `/${list}`);
  return found;
}
