import type { Property } from '@platen/formats/gltf/property-table';
import type { JobContext, JobResult } from '../job-type.ts';
import { fieldsOf, type AttributeFacts } from '../models/attribute-facts.ts';
import type { UsedHeights } from '../models/used-heights.ts';
import { tilesetResult } from '../models/tileset-result.ts';
import { writeTileTree } from '../models/write-tile-tree.ts';
import type { Settings } from './settings.ts';
import type { TilesObjectOptions } from './spec.ts';
import type { MadeTile } from './tasks.ts';
import type { PlannedTile } from './tree/plan-tree.ts';
import { writeIndex } from './write-index.ts';

export interface ObjectOutput {
  readonly options: TilesObjectOptions;
  readonly settings: Settings;
  readonly root: PlannedTile;
  readonly made: ReadonlyMap<string, MadeTile>;
  readonly properties: readonly Property[];
  readonly facts: AttributeFacts;
  readonly featureCount: number;
  readonly heights: readonly UsedHeights[];
  readonly folder: string;
}

/** Puts the tileset together, and describes the datasource. */
export async function writeOutput(output: ObjectOutput, context: JobContext): Promise<JobResult> {
  const { options, settings, root, made, properties, facts, featureCount, heights, folder } = output;
  const { version, format } = settings;
  const others = [writeIndex({ root, options, inputs: context.inputs, properties })];
  const written = await writeTileTree({ root, made, version, format, folder, others }, context);
  return tilesetResult(written, {
    featureCount,
    triangleCount: trianglesOf(root, made),
    tileCount: made.size,
    fields: fieldsOf(properties, { facts, featureCount, version }),
    heights,
  });
}

/** Those of leaves. */
function trianglesOf({ name, children }: PlannedTile, made: ObjectOutput['made']): number {
  if (children.length === 0) return made.get(name)!.triangles;
  return children.reduce((sum, child) => sum + trianglesOf(child, made), 0);
}
