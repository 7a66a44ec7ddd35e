import type { DatasourceType } from '@platen/contract/datasource-types';
import type { Inspection } from '@platen/contract/inspect';
import type { NewDatasource } from '@platen/contract/datasources';
import type { NewTask } from '@platen/contract/tasks';
import { boxOf, typeOf } from '../inspect/new-datasource.ts';
import type { ChosenFile } from '../inspect/chosen-file.ts';

/** How a file becomes data that a map shows. */
export type DataPlan =
  | { readonly way: 'datasource'; readonly body: NewDatasource }
  | { readonly way: 'task'; readonly body: NewTask };

/** Why there is no way: what it is was not recognised, or it is for something else than a map. */
export type Hindrance = 'unknown' | 'noWay';

/** GeoJSON up to this is quick as it is; tiles are for more. */
const mostPlainBytes = 2_000_000;

const openCrs = new Set(['missingCrs', 'unknownCrs', 'noCrs']);

/** What a person has to say before: in which coordinate system the data is. */
export function needsCrs({ kind, layers, issues }: Pick<Inspection, 'kind' | 'layers' | 'issues'>): boolean {
  const isFlat = kind === 'vector' || kind === 'raster' || kind === 'pointCloud' || kind === 'mesh';
  const isOpen = layers.some(({ crs, bbox }) => crs === undefined && bbox === undefined);
  return (isFlat && isOpen) || issues.some(({ code }) => openCrs.has(code));
}

/** The code that is likely, though the file does not say it. */
export const guessedCrs = ({ layers }: Pick<Inspection, 'layers'>): string | undefined =>
  layers.find(({ crs }) => crs?.isGuessed && crs.code !== undefined)?.crs?.code;

/** The best way from a file to a map: as it is where that is quick, else by the job that the inspection suggests. */
export function planOf(
  inspection: Inspection,
  { file, name, crs }: { file: ChosenFile; name: string; crs?: string | undefined },
): DataPlan | Hindrance {
  const type = typeOf(inspection);
  const jobType = mapJobOf(inspection, crs);
  if (type !== undefined && crs === undefined && isQuick(inspection, type, jobType !== undefined)) {
    const bbox = boxOf(inspection);
    return {
      way: 'datasource',
      body: { name, type, sourceProperties: { type: 'internal', ...file }, ...(bbox && { bbox }) },
    };
  }
  if (jobType !== undefined) return { way: 'task', body: taskOf(inspection, { jobType, file, name, crs }) };
  return inspection.format === undefined ? 'unknown' : 'noWay';
}

/** Jobs whose result is a datasource that a map can show. */
const makesMaps = new Set(['platenTilesVector']);

/** Features whose coordinate system nobody knew get no suggestion; as soon as it is known, tiles can be made of them. */
function mapJobOf({ uses, kind }: Inspection, crs: string | undefined): string | undefined {
  const found = uses.find((use) => use.kind === 'job' && makesMaps.has(use.type))?.type;
  return found ?? (crs !== undefined && kind === 'vector' ? 'platenTilesVector' : undefined);
}

function isQuick({ size }: Inspection, type: DatasourceType, hasJob: boolean): boolean {
  return !hasJob || type !== 'geojson' || size <= mostPlainBytes;
}

function taskOf(
  { suggestion }: Inspection,
  { jobType, file, name, crs }: { jobType: string; file: ChosenFile; name: string; crs: string | undefined },
): NewTask {
  const suggested = suggestion?.jobType === jobType ? suggestion.options : {};
  return {
    name,
    jobType,
    parameters: {
      datasource: { command: 'create', name },
      options: {
        ...suggested,
        input: { ...inputOf(suggested), type: 'internal', ...file, ...(crs !== undefined && { crs }) },
      },
    },
  };
}

/** What the inspection suggests of how the file is read, such as its layer. */
function inputOf({ input }: { readonly input?: unknown }): object {
  return typeof input === 'object' && input !== null && !Array.isArray(input) ? input : {};
}
