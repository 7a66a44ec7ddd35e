import type { ProblemDetail } from '@platen/contract/error';
import type { Module } from '@platen/contract/modules';
import { namedStylesOf } from '@platen/contract/named-styles';
import { originOf } from '@platen/styles/style-item';
import { goneAttributes } from '@platen/styles/used-attributes';
import { sql } from 'kysely';
import type { Db } from '../../base/database/database.ts';
import { isObject } from '../../base/is-object.ts';
import { brief, inApp, type Item, itemsOf, type ModuleFinding } from '../modules/findings.ts';
import { datasourceOf } from './find-unattributed.ts';

const maxWarnings = 100;

/** Warns of styles by attributes that the data no longer have, such as after an update. */
export async function findGoneAttributes(
  tx: Db,
  projectId: string,
  modules: readonly Module[],
): Promise<ProblemDetail[]> {
  const layers = modules.flatMap((module, index) =>
    itemsOf(module, 'layers').flatMap((layer, position) => {
      const id = datasourceOf(layer);
      return id === undefined ? [] : [{ index, position, layer, id }];
    }),
  );
  const known = await knownOf(
    tx,
    projectId,
    layers.map(({ id }) => id),
  );
  const named = new Map(
    modules.flatMap((module) => itemsOf(module, 'styles').map((style) => [style['name'], style] as const)),
  );
  const findings = layers.flatMap(({ index, position, layer, id }): ModuleFinding[] => {
    const { names = [], styles = [] } = known.get(id) ?? {};
    const origin = originOf(styleOf(layer, named, styles));
    const gone = origin ? goneAttributes(origin.style, names) : [];
    if (gone.length === 0) return [];
    const list = gone.map((name) => `“${brief(name)}”`).join(', ');
    const detail = `The style of the layer “${brief(String(layer['name']))}” uses attributes that its data do not have: ${list}. Choose others, or update the data with them.`;
    return [{ index, pointer: `/layers/${position}/style`, code: 'goneAttribute', detail }];
  });
  return inApp(modules, findings.slice(0, maxWarnings));
}

/** The layer's own style, one of a module, or that of its datasource. */
function styleOf(
  { style, properties }: Item,
  named: ReadonlyMap<unknown, Item>,
  styles: readonly { readonly name: string }[],
): unknown {
  if (style !== undefined) return typeof style === 'string' ? named.get(style) : style;
  const chosen = isObject(properties) ? properties['datasourceStyle'] : undefined;
  return styles.find(({ name }) => name === chosen) ?? styles[0];
}

interface Row {
  readonly id: string;
  readonly fields: unknown;
  readonly styles: unknown;
}

/** The names of the attributes of datasources, and their styles. */
async function knownOf(tx: Db, projectId: string, ids: readonly string[]) {
  const { rows } = await sql<Row>`
    select id, properties -> 'fields' as fields, properties -> 'styles' as styles
    from datasource where project_id = ${projectId} and id = any(${[...new Set(ids)]}::text[])`.execute(tx);
  return new Map(
    rows.map(({ id, fields, styles }) => [id, { names: namesOf(fields), styles: namedStylesOf({ styles }) }]),
  );
}

const namesOf = (fields: unknown): string[] =>
  (Array.isArray(fields) ? (fields as unknown[]) : []).flatMap((field) =>
    isObject(field) && typeof field['name'] === 'string' ? [field['name']] : [],
  );
