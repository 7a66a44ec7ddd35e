import type { Inspection, InspectionUse } from '@platen/contract/inspect';
import { isDamaged } from '@platen/contract/inspection-facts';
import type { RouteLocationRaw } from 'vue-router';
import { typeOf, typeToRegister } from '../inspect/new-datasource.ts';
import type { ChosenFile } from '../inspect/chosen-file.ts';
import { guessedCrs, needsCrs, planOf } from '../quick-publish/plan.ts';

/** An action on a file; the first of a list is recommended, unless it is `store`, which no map shows. */
export type NextStep =
  | { readonly id: 'crs' }
  | { readonly id: 'publish'; readonly use?: InspectionUse }
  | { readonly id: 'store'; readonly to: RouteLocationRaw }
  | { readonly id: 'datasource'; readonly to: RouteLocationRaw; readonly type: string }
  | {
      readonly id: 'job';
      readonly to: RouteLocationRaw;
      readonly jobType: string;
      readonly use: InspectionUse;
    };

interface Abilities {
  readonly mayPublish: boolean;
  readonly mayCreateDatasources: boolean;
  readonly mayRunJobs: boolean;
  /** The job type that turns data of this kind into a map. */
  readonly mapJob: string | undefined;
}

/** The actions on a file, best first, by its inspection and what the user can do. */
export function nextSteps(inspection: Inspection, file: ChosenFile, may: Abilities): NextStep[] {
  const steps: NextStep[] = [];
  const query = { bucket: file.dataBucketId, key: file.dataBucketKey };
  if (may.mayRunJobs && needsCrs(inspection) && guessedCrs(inspection) === undefined) {
    // both ask for the coordinate system
    if (may.mapJob !== undefined && may.mayPublish) steps.push({ id: 'publish' });
    if (may.mapJob !== undefined) steps.push({ id: 'crs' });
  } else if (may.mayPublish) {
    const plan = planOf(inspection, { file, name: 'x', mapJob: may.mapJob });
    const use = inspection.uses.find(({ type }) => type === may.mapJob);
    if (typeof plan === 'object') steps.push({ id: 'publish', ...(use && plan.way === 'task' && { use }) });
  }
  const type = typeToRegister(inspection);
  const jobs = inspection.uses.filter(({ kind }) => kind === 'job');
  for (const use of may.mayRunJobs ? jobs : []) {
    const jobType = use.type;
    steps.push({ id: 'job', to: { name: 'task-new', query: { jobType, ...query } }, jobType, use });
  }
  if (type !== undefined && may.mayCreateDatasources) {
    const to = { name: 'datasources', query: { create: '1', ...query } };
    if (type === 'generic') steps.push({ id: 'store', to });
    else steps.splice(Math.min(1, steps.length), 0, { id: 'datasource', to, type });
  }
  return steps;
}

/** Whether the data is known and no job and no datasource brings it into a map, whatever the user may do. */
export const isBeyondMaps = (inspection: Inspection, mapJob: string | undefined): boolean =>
  inspection.format !== undefined &&
  !isDamaged(inspection.issues) &&
  typeOf(inspection) === undefined &&
  !inspection.uses.some(({ kind }) => kind === 'job') &&
  !(needsCrs(inspection) && mapJob !== undefined);
