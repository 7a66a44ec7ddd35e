import type { DatasourceType } from '@platen/contract/datasource-types';
import type { Inspection } from '@platen/contract/inspect';
import type { NewDatasource } from '@platen/contract/datasources';
import type { FreeForm } from '@platen/contract/schema';
import type { NewTask } from '@platen/contract/tasks';
import type { PreviewOptions } from '@platen/processing/raster-source/preview-colours';
import { typicalOf } from '../map/view-box.ts';
import { boxOf, typeOf } from '../inspect/new-datasource.ts';
import type { ChosenFile } from '../inspect/chosen-file.ts';
import { openPlace, type Placement } from './open-place.ts';

/** How a file becomes a datasource that a map can show. */
export type DataPlan =
  | { readonly way: 'datasource'; readonly body: NewDatasource }
  | {
      readonly way: 'task';
      readonly body: NewTask;
      /** What the datasource gets besides what its job finds. */
      readonly properties: FreeForm;
    };

/** Why a file cannot become a map: it was not recognised, or has no suitable use. */
export type Obstacle = 'unknown' | 'noWay';

/** GeoJSON up to this size is served as it is; larger files become tiles. */
const maxPlainBytes = 2_000_000;

const openCrs = new Set(['missingCrs', 'unknownCrs', 'noCrs']);
/** What a coordinate system does not mend: the file has no place in it, or nothing reads the file. */
const beyondCrs = new Set(['noGeoreference', 'controlPoints', 'unsupported']);

/** Whether the user must first give the coordinate reference system. */
export function needsCrs(inspection: Pick<Inspection, 'kind' | 'format' | 'layers' | 'issues'>): boolean {
  const { kind, layers, issues } = inspection;
  if (openPlace(inspection) !== undefined) return false;
  const isFlat = kind === 'vector' || kind === 'raster' || kind === 'pointCloud' || kind === 'mesh';
  const isOpen = layers.some(({ crs, bbox }) => crs === undefined && bbox === undefined);
  if (issues.some(({ code }) => beyondCrs.has(code))) return false;
  return (isFlat && isOpen) || issues.some(({ code }) => openCrs.has(code));
}

/** The probable code when the file does not declare one. */
export const guessedCrs = (inspection: Pick<Inspection, 'layers'>): string | undefined =>
  crsCandidates(inspection)[0]?.code;

/** The systems that fit the coordinates where the file does not declare one, the likeliest first. */
export const crsCandidates = ({
  layers,
}: Pick<Inspection, 'layers'>): readonly { readonly code: string; readonly name: string }[] => {
  const crs = layers.find((layer) => layer.crs?.isGuessed && layer.crs.code !== undefined)?.crs;
  if (crs?.code === undefined) return [];
  return crs.candidates ?? [{ code: crs.code, name: crs.name }];
};

interface PlanRequest {
  readonly file: ChosenFile;
  readonly name: string;
  /** Given by the user. */
  readonly crs?: string | undefined;
  /** What the heights count from, as the user has answered. */
  readonly vertical?: string | undefined;
  /** Where a model or scan stands, as the user has answered. */
  readonly placement?: Placement | undefined;
  /** How an image is shown, as the user has chosen. */
  readonly colours?: PreviewOptions | undefined;
  /** The job type that turns data of this kind into a map. */
  readonly mapJob: string | undefined;
}

/** The best way from a file to a map: as it is if that is fast, else by the job that the inspection suggests. */
export function planOf(
  inspection: Inspection,
  { file, name, crs, vertical, placement, colours, mapJob }: PlanRequest,
): DataPlan | Obstacle {
  const type = typeOf(inspection);
  // without a known coordinate system no job suits the data; once the user gives one, the map can be made
  const isSuited = inspection.uses.some((use) => use.kind === 'job' && use.type === mapJob);
  const jobType = isSuited || crs !== undefined ? mapJob : undefined;
  if (type !== undefined && crs === undefined && isQuick(inspection, type, jobType !== undefined)) {
    const bbox = boxOf(inspection);
    const properties = typicalOf(inspection);
    const sourceProperties = { type: 'internal', ...file } as const;
    return { way: 'datasource', body: { name, type, sourceProperties, properties, ...(bbox && { bbox }) } };
  }
  if (jobType !== undefined)
    return {
      way: 'task',
      body: taskOf(inspection, { jobType, file, name, crs, vertical, placement, colours }),
      properties: typicalOf(inspection),
    };
  return inspection.format === undefined ? 'unknown' : 'noWay';
}

/** From here on, maps load an image as quickly as one that a job makes. */
const quickConfidence = 0.9;

function isQuick({ size, uses }: Inspection, type: DatasourceType, hasJob: boolean): boolean {
  if (!hasJob) return true;
  if (type === 'cog') return uses.some((use) => use.type === 'cog' && use.confidence >= quickConfidence);
  return type !== 'geojson' || size <= maxPlainBytes;
}

/** New maps have no terrain, and clouds at their true height would float. Nothing is suggested without a coordinate system. */
const withoutSuggestion = ({ kind }: Inspection, crs: string | undefined): FreeForm =>
  kind === 'pointCloud' && crs !== undefined ? { heights: { mode: 'flat' } } : {};

function taskOf(
  inspection: Inspection,
  {
    jobType,
    file,
    name,
    crs,
    vertical,
    placement,
    colours,
  }: Omit<PlanRequest, 'mapJob'> & { readonly jobType: string },
): NewTask {
  const { suggestion, companions = [] } = inspection;
  const suggested: FreeForm =
    suggestion?.jobType === jobType ? suggestion.options : withoutSuggestion(inspection, crs);
  return {
    name,
    jobType,
    parameters: {
      datasource: { command: 'create', name },
      options: {
        ...suggested,
        ...(vertical !== undefined && { heights: { ...objectOf(suggested['heights']), vertical } }),
        ...(placement && { modelOptions: { ...objectOf(suggested['modelOptions']), placement } }),
        ...colours,
        input: inputOf(file, {
          companions,
          suggested: suggested['input'],
          ...(crs !== undefined && { crs }),
        }),
      },
    },
  };
}

interface InputParts {
  readonly companions: readonly string[];
  /** Of the inspection: one input, or the file followed by its companions. */
  readonly suggested: unknown;
  readonly crs?: string;
}

/** The file, followed by those beside it that belong to it, such as a world file. */
function inputOf(file: ChosenFile, { companions, suggested, crs }: InputParts): object {
  const first = Array.isArray(suggested) ? (suggested[0] as unknown) : suggested;
  const main = { ...objectOf(first), type: 'internal', ...file, ...(crs !== undefined && { crs }) };
  const { dataBucketId } = file;
  const others = companions.map((dataBucketKey) => ({ type: 'internal', dataBucketId, dataBucketKey }));
  return others.length === 0 ? main : [main, ...others];
}

/** The options that the inspection suggests in a group, such as the layer of the input. */
function objectOf(group: unknown): object {
  return typeof group === 'object' && group !== null && !Array.isArray(group) ? group : {};
}
