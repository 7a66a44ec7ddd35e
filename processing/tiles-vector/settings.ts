import type { Static } from 'typebox';
import type { JobContext } from '../job-type.ts';
import { tilesVector } from './spec.ts';

export type TilesVectorOptions = Static<typeof tilesVector.options>;

/** The options with every default in its place. */
export interface Settings {
  readonly minZoom: number;
  /** Guessed from the data when absent. */
  readonly maxZoom: number | undefined;
  readonly buffer: number;
  readonly extent: number;
  readonly layerName: string | undefined;
  readonly include: ReadonlySet<string> | undefined;
  readonly exclude: ReadonlySet<string>;
  readonly idProperty: string | undefined;
  readonly simplification: number;
  readonly shortest: boolean;
  readonly memoryBytes: number;
  readonly name: string | undefined;
  readonly description: string | undefined;
  readonly attribution: string | undefined;
  readonly tileLimitBytes: number;
}

export function readSettings(options: TilesVectorOptions): Settings {
  const { tiling = {}, modelOptions = {}, processing = {}, output = {} } = options;
  return {
    minZoom: tiling.minZoom ?? 0,
    maxZoom: tiling.maxZoom,
    buffer: tiling.buffer ?? 16,
    extent: tiling.extent ?? 4096,
    layerName: modelOptions.layerName,
    include: modelOptions.include === undefined ? undefined : new Set(modelOptions.include),
    exclude: new Set(modelOptions.exclude),
    idProperty: modelOptions.idProperty,
    simplification: processing.simplification ?? 3,
    shortest: processing.antimeridian === 'shortest',
    memoryBytes: (processing.memoryMegabytes ?? 1024) * 2 ** 20,
    name: output.name,
    description: output.description,
    attribution: output.attribution,
    tileLimitBytes: (output.tileLimitKilobytes ?? 500) * 1000,
  };
}

/** Keys that nothing reads are no reason to refuse a task that was written for another server. */
export function warnOfUnknownOptions(options: TilesVectorOptions, warn: JobContext['warn']): void {
  const groups: Record<string, { properties: object }> = tilesVector.options.properties;
  for (const [group, value] of Object.entries(options)) {
    if (group === 'input' || group === '@type') continue;
    const known = Object.hasOwn(groups, group) ? groups[group]!.properties : undefined;
    if (known === undefined)
      warn('unknownOption', `The option "${group}" is unknown and has no effect.`, { option: group });
    else if (typeof value === 'object' && value !== null) {
      for (const key of Object.keys(value)) {
        if (key === '@type' || Object.hasOwn(known, key)) continue;
        const option = `${group}.${key}`;
        warn('unknownOption', `The option "${option}" is unknown and has no effect.`, { option });
      }
    }
  }
}
