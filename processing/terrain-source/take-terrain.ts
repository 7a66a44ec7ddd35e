import type { HeightMode } from '../heights/height-mode.ts';
import { JobFailure, type JobInput } from '../job-type.ts';
import { divideTerrain, findTerrain, type PlacedTerrain } from './find-terrain.ts';

/** Divides the inputs into the terrain that data are put onto, and all others. @throws JobFailure if terrain is missing, or has no use */
export async function takeTerrain(
  inputs: readonly JobInput[],
  mode: HeightMode,
): Promise<{ readonly terrain: PlacedTerrain | undefined; readonly others: JobInput[] }> {
  const { terrain, others } = await divideTerrain(inputs);
  if (mode === 'terrain' && terrain === undefined)
    throw new JobFailure(
      'invalidOption',
      '/heights/mode: terrain is not among the inputs. Add the datasource or file of the terrain that the data are to stand on.',
    );
  if (mode !== 'terrain' && terrain !== undefined)
    throw new JobFailure(
      'invalidOption',
      `/heights/mode: data are put onto ${terrain.name} only in the mode terrain. Choose it, or remove the terrain.`,
    );
  if (terrain === undefined) return { terrain, others };
  const { source, bounds } = await findTerrain(terrain); // threads need no list of its tiles
  return { terrain: { source, bounds }, others };
}
