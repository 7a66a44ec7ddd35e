import { datasourceTypes, typeProperties, type DatasourceType } from '@platen/contract/datasource-types';
import type { ProblemDetail } from '@platen/contract/error';
import type { FreeForm } from '@platen/contract/schema';
import { optionNames } from '@platen/viewer/engine-names';
import { Type } from 'typebox';
import { nearestName } from '../base/nearest-name.ts';
import { findUnknownKeys } from '../base/unknown-keys.ts';
import { checkBody } from '../base/validation.ts';

const checks = new Map(
  datasourceTypes.map((type) => [type, checkBody(Type.Object({ typeProperties: typeProperties[type] }))]),
);

/** @throws Failure `invalid` that names the option which its type does not take like that */
export function checkTypeProperties(type: DatasourceType, properties: FreeForm): void {
  checks.get(type)!({ typeProperties: properties });
}

/** Options that engines know, of whatever layer. */
const ofEngines = new Set(optionNames);
/** More unknown keys are the user's own. */
const maxCompared = 500;

/** A key that no engine knows is the user's own; one that differs from an option by a letter or two is a mistake. */
export function findMisspelt(type: DatasourceType, properties: FreeForm): ProblemDetail[] {
  const unknown = findUnknownKeys(typeProperties[type], properties).filter(({ key }) => !ofEngines.has(key));
  return unknown.slice(0, maxCompared).flatMap(({ pointer, key, known }) => {
    const name = nearestName(key, known);
    if (name === undefined) return [];
    const detail = `The map viewer does not know this option. Did you mean ${name}?`;
    return [{ pointer: `/typeProperties${pointer}`, code: 'ignored', detail }];
  });
}
