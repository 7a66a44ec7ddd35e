import type { ProblemDetail } from '@platen/contract/error';
import type { Module } from '@platen/contract/modules';
import type { FreeForm } from '@platen/contract/schema';
import { sql } from 'kysely';
import type { Db } from '../../base/database/database.ts';
import { isObject } from '../../base/is-object.ts';
import { plainAttribution } from '@platen/contract/plain-attribution';
import { brief, inApp, type Item, itemsOf, type ModuleFinding } from '../modules/findings.ts';

const maxWarnings = 100;

/** Warns of layers whose data names no source: neither the layer, nor its datasource, nor the data itself. */
export async function findUnattributed(
  tx: Db,
  projectId: string,
  modules: readonly Module[],
): Promise<ProblemDetail[]> {
  const silent = modules.flatMap((module, index) =>
    itemsOf(module, 'layers').flatMap((layer, position) =>
      showsData(layer) && !isAttributed(layer['properties']) ? [{ index, position, layer }] : [],
    ),
  );
  const attributed = await attributedOf(
    tx,
    projectId,
    silent.flatMap(({ layer }) => datasourceOf(layer) ?? []),
  );
  const findings = silent
    .filter(({ layer }) => !attributed.has(datasourceOf(layer) ?? ''))
    .map(({ index, position, layer }): ModuleFinding => {
      const detail = `The layer “${brief(String(layer['name']))}” does not name the source of its data. Enter it as the attribution of the datasource, or in properties.attributions of the layer.`;
      return { index, pointer: `/layers/${position}`, code: 'unattributed', detail };
    });
  return inApp(modules, findings.slice(0, maxWarnings));
}

const showsData = (layer: Item) => datasourceOf(layer) !== undefined || typeof layer['url'] === 'string';

/** The datasource that a layer shows. */
export function datasourceOf({ datasourceId, tileProvider }: Item): string | undefined {
  const id = datasourceId ?? (isObject(tileProvider) ? tileProvider['datasourceId'] : undefined);
  return typeof id === 'string' ? id : undefined;
}

const isAttributed = (properties: unknown) =>
  isObject(properties) && properties['attributions'] !== undefined && properties['attributions'] !== null;

interface Row {
  readonly id: string;
  readonly properties: FreeForm;
  readonly type_properties: FreeForm;
  readonly facts: FreeForm | null;
}

/** Those of the datasources that name a source. */
async function attributedOf(tx: Db, projectId: string, ids: readonly string[]): Promise<Set<string>> {
  const { rows } = await sql<Row>`
    select id, type_properties, facts, json_build_object('attribution', properties -> 'attribution') as properties
    from datasource where project_id = ${projectId} and id = any(${[...new Set(ids)]}::text[])`.execute(tx);
  const named = rows.filter(
    ({ properties, type_properties: options, facts }) =>
      isAttributed(options['properties']) ||
      plainAttribution(properties['attribution']) !== undefined ||
      plainAttribution(facts?.['attribution']) !== undefined,
  );
  return new Set(named.map(({ id }) => id));
}
