import assert from 'node:assert/strict';
import type { Content } from './findings.ts';
import { knownBy, validateModule } from './validate.ts';

export const known = knownBy('6.3.11');

export const errorsOf = (content: Content) =>
  validateModule(content, known)
    .errors.map(({ pointer, code }) => `${pointer} ${code}`)
    .toSorted();
export const warningsOf = (content: Content) => {
  const { errors, warnings } = validateModule(content, known);
  assert.deepEqual(errors, []);
  return warnings.map(({ pointer, code }) => `${pointer} ${code}`).toSorted();
};
export const layer = (fields: object) => ({ type: 'GeoJSONLayer', name: 'a', url: '/a.json', ...fields });
export const item = (fields: object) => ({ type: 'NodeContentTreeItem', name: 'a', ...fields });
