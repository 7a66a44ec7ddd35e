import { datasourceTypes, type DatasourceType } from '@platen/contract/datasource-types';
import type { ProblemDetail } from '@platen/contract/error';
import { layerTypesOf } from '../../datasources/layer.ts';
import { isObject } from '../../base/is-object.ts';
import { itemsOf, maxFindings, type Content } from './findings.ts';

const typesWithLayers = new Set(datasourceTypes.flatMap(layerTypesOf));

/** Warns of layers that cannot show the data of their datasource. Plugins may show any data by layers of their own. */
export function otherTypes(content: Content, typeOf: ReadonlyMap<string, DatasourceType>): ProblemDetail[] {
  const warnings: ProblemDetail[] = [];
  const report = (pointer: string, detail: string) => {
    if (warnings.length < maxFindings) warnings.push({ pointer, code: 'otherType', detail });
  };
  for (const [index, layer] of itemsOf(content, 'layers').entries()) {
    const { type, datasourceId, tileProvider } = layer;
    const id = datasourceId ?? (isObject(tileProvider) ? tileProvider['datasourceId'] : undefined);
    const given = typeOf.get(String(id));
    if (given === undefined || given === 'generic' || !typesWithLayers.has(String(type))) continue;
    const fitting = layerTypesOf(given);
    if (fitting.includes(String(type))) continue;
    const advice = fitting.length > 0 ? fitting.join(' or ') : 'an item of obliqueCollections';
    report(`/layers/${index}/type`, `Its datasource is of the type ${given}, which needs ${advice}.`);
  }
  for (const [index, { datasourceId }] of itemsOf(content, 'obliqueCollections').entries()) {
    const given = typeOf.get(String(datasourceId));
    if (given === undefined || given === 'oblique') continue;
    const detail = `Its datasource is of the type ${given}. A collection shows oblique images.`;
    report(`/obliqueCollections/${index}/datasourceId`, detail);
  }
  return warnings;
}
