import type { Property } from '@platen/formats/gltf/property-table';
import { JobFailure, type JobResult } from '../../job-type.ts';
import { expectAnswer } from '../../kit/expect-answer.ts';
import { runAll } from '../../kit/run-all.ts';
import { createStopwatch } from '../../kit/stopwatch.ts';
import { emitWarnings, mergeWarnings } from '../../kit/warning-counter.ts';
import { fieldsOf, maxProperties, mergeFacts, propertiesOf } from '../../models/attribute-facts.ts';
import { diagonalOf, unionOfRegions, type Region } from '../../models/region.ts';
import { tilesetResult } from '../../models/tileset-result.ts';
import { writeTileTree, type TreeContent, type TreeTile } from '../../models/write-tile-tree.ts';
import type { MeshRun } from '../mesh-run.ts';
import { reportFaults } from '../report-faults.ts';
import type { ConvertedTile, ConvertTask, SurveyAnswer } from '../tasks.ts';
import { eachKeptTile, mergedRoot, type KeptTile } from './kept-tile.ts';

/** Converts tilesets tile by tile, and puts several below one root. */
export async function keepTilesets(job: MeshRun): Promise<JobResult> {
  const { settings, found, context, folder } = job;
  const watch = createStopwatch(context);
  const surveyed = await surveyContents(job);
  const usable = surveyed.filter(({ failure }) => failure === undefined);
  const facts = mergeFacts(usable.map((one) => one.facts));
  const featureCount = usable.reduce((sum, { features }) => sum + features, 0);
  if (facts.size > maxProperties)
    context.warn(
      'tooManyAttributes',
      `The objects have ${facts.size} attributes. The first ${maxProperties} by name are kept.`,
    );
  // viewers find a feature by its id if that is a text
  const properties = propertiesOf(facts, featureCount, facts.has('id') ? ['id'] : []);
  watch.lap('read', { models: found.models.length });
  const converted = await convertTiles(job, properties, new Set(usable.map(({ model }) => model)));
  watch.lap('make', { tiles: converted.size });
  await job.pool.close();
  const { root, made } = treeOf(found.kept, converted);
  const written = await writeTileTree(
    { root, made, version: settings.version, format: settings.format, folder },
    context,
  );
  watch.lap('write', {});
  const tiles = [...converted.values()].filter(({ content }) => content !== undefined);
  return tilesetResult(written, {
    triangleCount: tiles.reduce((sum, { triangles }) => sum + triangles, 0),
    tileCount: tiles.length,
    ...(properties.length > 0 && {
      featureCount: finestFeatures(found.kept, converted),
      fields: fieldsOf(properties, { facts, featureCount, version: settings.version }),
    }),
  });
}

/** Features of the tiles that nothing replaces. */
function finestFeatures(tops: readonly KeptTile[], converted: ReadonlyMap<string, ConvertedTile>): number {
  const finest = tops
    .flatMap((top) => Array.from(eachKeptTile(top)))
    .filter(({ refine, children }) => refine === 'ADD' || children.length === 0);
  return finest.reduce((sum, { name }) => sum + (converted.get(name)?.features ?? 0), 0);
}

async function surveyContents({
  settings,
  found,
  pool,
  checkpoint,
  context,
}: MeshRun): Promise<SurveyAnswer[]> {
  const known = new Map<number, SurveyAnswer>();
  for (const unit of checkpoint.units) if (unit.kind === 'survey') known.set(unit.model, unit);
  const open = [...found.models.keys()].filter((model) => !known.has(model));
  const tasks = open.map((model) => ({ kind: 'survey', model }) as const);
  await runAll(pool, tasks, (answer) => {
    const unit = expectAnswer(answer, 'survey');
    checkpoint.append(unit);
    known.set(unit.model, unit);
  });
  const surveyed = found.models.map((_, model) => known.get(model)!);
  reportFaults(surveyed, settings.strict, context);
  return surveyed;
}

/** @param usable numbers of contents that could be read @returns tiles by name */
async function convertTiles(
  { settings, found, pool, checkpoint, context }: MeshRun,
  properties: readonly Property[],
  usable: ReadonlySet<number>,
): Promise<ReadonlyMap<string, ConvertedTile>> {
  const tasks: ConvertTask[] = [];
  let next = 0;
  for (const tile of found.kept.flatMap((top) => Array.from(eachKeptTile(top)))) {
    const models = tile.contents.map(() => next++).filter((model) => usable.has(model));
    if (models.length > 0) tasks.push({ kind: 'convert', name: tile.name, models, properties });
  }
  const converted = new Map<string, ConvertedTile>();
  for (const unit of checkpoint.units) if (unit.kind === 'convert') converted.set(unit.name, unit);
  context.progress('make', converted.size, tasks.length);
  const open = tasks.filter(({ name }) => !converted.has(name));
  await runAll(pool, open, (answer) => {
    const unit = expectAnswer(answer, 'convert');
    checkpoint.append(unit);
    converted.set(unit.name, unit);
    context.progress('make', converted.size, tasks.length);
  });
  const all = tasks.map(({ name }) => converted.get(name)!);
  emitWarnings(mergeWarnings(all.flatMap(({ warnings }) => warnings)), context.warn);
  reportFaults(all, settings.strict, context);
  if (all.every(({ content }) => content === undefined))
    throw new JobFailure(
      'nothingUsable',
      'None of the tiles has a triangle that can be shown: see the warnings. Tiles of points are made by “Create 3D tiles of point clouds”.',
    );
  return converted;
}

interface WrittenTree {
  readonly root: TreeTile;
  readonly made: ReadonlyMap<string, TreeContent>;
}

function treeOf(tops: readonly KeptTile[], converted: ReadonlyMap<string, ConvertedTile>): WrittenTree {
  const made = new Map<string, TreeContent>();
  let whole: Region | undefined;
  for (const { name, error } of tops.flatMap((top) => Array.from(eachKeptTile(top)))) {
    const { content, region } = converted.get(name) ?? { content: undefined, region: undefined };
    made.set(name, { content, region, error });
    if (region !== undefined) whole = whole === undefined ? region : unionOfRegions([whole, region]);
  }
  const [first] = tops;
  if (tops.length === 1) return { root: first!, made };
  // viewers pass through a tile without content to those below
  made.set(mergedRoot, {
    content: undefined,
    region: undefined,
    error: Math.max(diagonalOf(whole!), ...tops.map(({ error }) => error)),
  });
  return { root: { name: mergedRoot, refine: 'REPLACE', children: tops }, made };
}
