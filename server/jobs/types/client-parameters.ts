import type { FreeForm } from '@platen/contract/schema';
import { isObject } from '../../base/is-object.ts';

/**
 * Parameters as other servers take them, for a job type under the name that it has there: the data in `dataset`, its coordinate system in
 * `epsgCode`. Tasks keep them as they were sent. Parameters with `options` stay as they are.
 */
export function ownParameters(parameters: FreeForm): FreeForm {
  const { command: _, dataset, epsgCode, ...others } = parameters;
  if ('options' in parameters || !isObject(dataset)) return parameters;
  const code = typeof epsgCode === 'number' || typeof epsgCode === 'string' ? Number(epsgCode) : 0;
  const input = { ...dataset, ...(code > 0 && { crs: `EPSG:${code}` }) };
  return { ...others, options: { input } };
}
