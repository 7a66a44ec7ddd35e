import { BytesError } from '@platen/formats/bytes/bytes';
import { openFile } from '@platen/formats/bytes/open-file';
import {
  ellipsoidOf,
  footMetres,
  surveyFootMetres,
  type VerticalCrs,
} from '@platen/formats/crs/vertical-crs';
import { verticalOfCode } from '@platen/formats/crs/vertical-wkt';
import type { GeoidBox } from '@platen/formats/geoid/grid-window';
import { openHeightTransform, type HeightTransform } from '@platen/formats/geoid/height-transform';
import { openGeoid, type OpenedGeoid } from '@platen/formats/geoid/open-geoid';
import { JobFailure, type JobContext, type JobInput } from '../job-type.ts';
import type { HeightOptions } from './height-options.ts';

/** What is known of the heights of data apart from the options. */
export interface HeightFacts {
  /** What the file says. */
  readonly vertical: VerticalCrs | undefined;
  /** What is usual for such data, where the file says nothing: `diagnoseHeights` knows it. */
  readonly usual?: VerticalCrs | undefined;
  /** Where the data are: west, south, east, north in degrees. */
  readonly box?: GeoidBox;
}

/** Heights of data as metres above the ellipsoid. */
export interface OpenedHeights extends HeightTransform {
  readonly vertical: VerticalCrs;
  /** What the results may be off by, where this is known. */
  readonly accuracyMetres: number | undefined;
  /** The geoid grid that is used: `GCG2016`. Undefined for ellipsoidal heights. */
  readonly geoid: string | undefined;
}

type HeightsContext = Pick<JobContext, 'inputs' | 'warn' | 'geoidFolder'>;

/** Reports what is approximate or assumed as warnings. @throws JobFailure when the heights cannot be used */
export async function openHeights(
  options: HeightOptions,
  facts: HeightFacts,
  context: HeightsContext,
): Promise<OpenedHeights> {
  const vertical = verticalOf(options, facts, context);
  if (vertical.isOtherEllipsoid === true)
    throw new JobFailure(
      'unsupported',
      `The heights count from the ${vertical.name}, which is not supported. Transform the data to heights above the ellipsoid of WGS 84 or above sea level, or set heights.vertical.`,
    );
  const offset = options.offset ?? 0;
  if (vertical.kind === 'ellipsoid') {
    const transform = openHeightTransform(vertical, undefined, offset);
    return { ...transform, vertical, accuracyMetres: undefined, geoid: undefined };
  }
  const { geoid, name, accuracyMetres, notes } = await openGeoidFor(vertical, options, { facts, context });
  for (const { code, message } of notes) context.warn(code, `Heights: ${message}.`);
  return { ...openHeightTransform(vertical, geoid, offset), vertical, accuracyMetres, geoid: name };
}

/** The inputs without the geoid grid among them. */
export function withoutGeoid(inputs: readonly JobInput[], { geoid }: HeightOptions): readonly JobInput[] {
  return geoid === undefined ? inputs : inputs.filter(({ name }) => name !== geoid);
}

const meanSeaLevel = '5714';
const units: Readonly<Record<string, number>> = {
  metre: 1,
  foot: footMetres,
  usSurveyFoot: surveyFootMetres,
};

function verticalOf(
  { vertical: choice = 'auto', unit = 'auto', direction = 'auto' }: HeightOptions,
  { vertical: stated, usual }: HeightFacts,
  { warn }: HeightsContext,
): VerticalCrs {
  let vertical = stated ?? usual;
  if (choice === 'ellipsoid') {
    const { metresPerUnit = 1, isDepth = false } = stated ?? {};
    vertical = { ...ellipsoidOf('WGS 84 (EPSG:4979)'), metresPerUnit, isDepth };
  } else if (choice !== 'auto') vertical = registered(choice);
  if (vertical === undefined) {
    vertical = registered(meanSeaLevel);
    warn(
      'assumedHeights',
      'The file does not say what its heights count from: they are taken as heights above sea level. Set heights.vertical if that is wrong.',
    );
  }
  return {
    ...vertical,
    metresPerUnit: units[unit] ?? vertical.metresPerUnit,
    isDepth: direction === 'auto' ? vertical.isDepth : direction === 'down',
  };
}

function registered(choice: string): VerticalCrs {
  const vertical = verticalOfCode(choice.replace(/^EPSG:/, ''));
  if (vertical !== undefined) return vertical;
  throw new JobFailure(
    'invalidOption',
    `/heights/vertical: ${choice} is no vertical coordinate system. Enter the code of one, such as EPSG:7837, or ellipsoid.`,
  );
}

async function openGeoidFor(
  vertical: VerticalCrs,
  { geoid: name }: HeightOptions,
  { facts: { box }, context }: { readonly facts: HeightFacts; readonly context: HeightsContext },
): Promise<OpenedGeoid> {
  const { inputs, geoidFolder: folder } = context;
  const common = { ...(folder !== undefined && { folder }), ...(box !== undefined && { box }) };
  if (name === undefined) return openGeoid(vertical, common);
  const input = inputs.find((one) => one.name === name);
  if (input === undefined)
    throw new JobFailure('invalidOption', `/heights/geoid: none of the inputs is named ${name}.`);
  const bytes = await openFile(input.path);
  try {
    return await openGeoid(vertical, { ...common, file: { name, bytes } });
  } catch (error) {
    if (!(error instanceof BytesError)) throw error;
    throw new JobFailure('invalidOption', error.message, { cause: error });
  } finally {
    await bytes.close();
  }
}
