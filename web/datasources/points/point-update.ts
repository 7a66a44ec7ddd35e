import type { Datasource } from '@platen/contract/datasources';
import type { FreeForm } from '@platen/contract/schema';
import { nameOfKey, type ChosenFile } from '../../inspect/chosen-file.ts';
import { sourcesOf, type Source } from '../../schema-form/sources.ts';

/** What an update does with the chosen data. */
export type PointTool = 'sheets' | 'colour' | 'compare';

/** A file, folder or datasource that the job reads, and by which name options call it. */
export interface ChosenData {
  readonly source: Source;
  readonly name: string;
}

export const dataOfFile = (file: ChosenFile, crs?: string): ChosenData => ({
  source: { type: 'internal', ...file, ...(crs !== undefined && { crs }) },
  name: nameOfKey(file.dataBucketKey),
});

/** Undefined for data on the web. */
export function dataOfDatasource({
  _id: datasourceId,
  sourceProperties,
}: Pick<Datasource, '_id' | 'sourceProperties'>): ChosenData | undefined {
  if (sourceProperties.type !== 'internal') return undefined;
  return { source: { type: 'datasource', datasourceId }, name: nameOfKey(sourceProperties.dataBucketKey) };
}

interface Update {
  readonly tool: PointTool;
  readonly datasourceId: string;
  readonly chosen: readonly ChosenData[];
  /** Colours all points rather than those without a colour. */
  readonly isForAll?: boolean;
}

/** The parameters of the job that updates a datasource, from those of the job that made it. */
export function updateParameters(
  made: FreeForm,
  { tool, datasourceId, chosen, isForAll = false }: Update,
): FreeForm {
  const options = (made['options'] ?? {}) as FreeForm;
  const processing = (options['processing'] ?? {}) as FreeForm;
  const [first] = chosen;
  const { when: _when, ...colour } = (processing['colour'] ?? {}) as FreeForm;
  const compareTo = (processing['compareTo'] ?? {}) as FreeForm;
  /** Another file takes the place of that which the tool named so far. */
  const former = { sheets: undefined, colour: colour['from'], compare: compareTo['input'] }[tool];
  const kept = sourcesOf(options['input']).filter(
    ({ dataBucketKey }) =>
      former === undefined || typeof dataBucketKey !== 'string' || nameOfKey(dataBucketKey) !== former,
  );
  const added = {
    sheets: {},
    colour: { colour: { ...colour, from: first?.name, ...(isForAll && { when: 'always' }) } },
    compare: {
      compareTo: { ...compareTo, input: first?.name },
    },
  }[tool];
  const next = { ...processing, ...added };
  return {
    ...made,
    datasource: { command: 'update', datasourceId },
    options: {
      ...options,
      input: withSources(kept, chosen),
      ...(Object.keys(next).length > 0 && { processing: next }),
    },
  };
}

/** Whether a sheet of the former job has the name of what a tool would call by it. */
export function isNamedLikeSheet(made: FreeForm, tool: PointTool, { name }: ChosenData): boolean {
  if (tool === 'sheets') return false;
  return sheetsOf(made).some(
    ({ dataBucketKey }) => typeof dataBucketKey === 'string' && nameOfKey(dataBucketKey) === name,
  );
}

/** Each once: what is there already is read again by the job. */
function withSources(sources: readonly Source[], chosen: readonly ChosenData[]): readonly Source[] {
  const others = sources.filter((one) => !chosen.some(({ source }) => isSame(one, source)));
  return [...others, ...chosen.map(({ source }) => source)];
}

const isSame = (one: Source, other: Source) =>
  one.type === other.type &&
  ['dataBucketId', 'dataBucketKey', 'datasourceId'].every((key) => one[key] === other[key]);

/** The inputs of the former job that are points: neither images nor an older cloud. */
export function sheetsOf({ options }: FreeForm): readonly Source[] {
  const { input, processing } = (options ?? {}) as { input?: unknown; processing?: FreeForm };
  const { from } = (processing?.['colour'] ?? {}) as { from?: unknown };
  const { input: older } = (processing?.['compareTo'] ?? {}) as { input?: unknown };
  return sourcesOf(input).filter(({ dataBucketKey }) => {
    const name = typeof dataBucketKey === 'string' ? nameOfKey(dataBucketKey) : '';
    return name !== from && name !== older && !/\.(?:tiff?|jp2|jpe?g|png|webp)$/i.test(name);
  });
}
