import type { JobContext } from '../job-type.ts';
import type { FoundTerrain } from '../terrain-source/find-terrain.ts';
import type { SheetBox } from './sheets/sheet-box.ts';

/** Says where the base does not do what it is for. @param maxZoom the highest zoom of the result */
export function reportBase(
  { source: { name, maxZoom: highest }, bounds }: FoundTerrain,
  [west, south, east, north]: SheetBox,
  { maxZoom, context }: { readonly maxZoom: number; readonly context: Pick<JobContext, 'warn' | 'log'> },
): void {
  if (bounds && (bounds[0] > east || bounds[2] < west || bounds[1] > north || bounds[3] < south))
    context.warn(
      'baseElsewhere',
      `${name} lies elsewhere: its data end at ${bounds.join(', ')} (west, south, east, north), where none of the sheets lies. Around the sheets, its heights are only those of coarse tiles.`,
      { file: name },
    );
  if (highest < maxZoom)
    context.log(
      'info',
      `${name} ends at zoom ${highest}: from there to zoom ${maxZoom}, its heights are interpolated.`,
    );
  if (highest > maxZoom)
    context.log(
      'info',
      `${name} has tiles up to zoom ${highest}, which end at ${maxZoom} here: set mesh.maxZoom to keep more of them.`,
    );
}
