import { datasourceTypes, typeProperties, type DatasourceType } from '@platen/contract/datasource-types';
import type { FreeForm } from '@platen/contract/schema';
import { Type } from 'typebox';
import { checkBody } from '../base/validation.ts';

const checks = new Map(
  datasourceTypes.map((type) => [type, checkBody(Type.Object({ typeProperties: typeProperties[type] }))]),
);

/** @throws Failure `invalid` that names the option which its type does not take like that */
export function checkTypeProperties(type: DatasourceType, properties: FreeForm): void {
  checks.get(type)!({ typeProperties: properties });
}
