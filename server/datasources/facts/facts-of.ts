import type { DatasourceFacts } from '@platen/contract/datasource-facts';
import type { DatasourceProbe } from '@platen/contract/datasource-probe';
import type { InspectedLayer, InspectionReport } from '@platen/contract/inspect';
import type { FreeForm } from '@platen/contract/schema';
import { plainAttribution } from '@platen/contract/plain-attribution';

const maxAttributes = 200;

/** The facts that an inspection has found; undefined if it recognised nothing. */
export function factsOfReport({ format, layers }: InspectionReport): DatasourceFacts | undefined {
  const [first] = layers;
  if (format === undefined || !first) return undefined;
  const details = layers.map((layer) => layer.details ?? {});
  const bbox = unionOf(layers.flatMap((layer) => (layer.bbox ? [layer.bbox] : [])));
  const minZoom = minOf(numbersOf(details, 'minZoom'));
  const maxZoom = maxOf(numbersOf(details, 'maxZoom'));
  const heights = heightsOf(details);
  const attributes = attributesOf(layers);
  const { crs, verticalDatum } = first;
  const attribution = plainAttribution(
    details.find((one) => one['attribution'] !== undefined)?.['attribution'],
  );
  const counts = layers.flatMap(({ featureCount }) => featureCount ?? []);
  return {
    ...(bbox && { bbox }),
    ...(crs?.code !== undefined && { crs: crs.code }),
    ...(verticalDatum !== undefined && { verticalDatum }),
    ...(heights && { heights }),
    ...(minZoom !== undefined && { minZoom }),
    ...(maxZoom !== undefined && { maxZoom }),
    ...(counts.length > 0 && { numberOfFeatures: counts.reduce((sum, count) => sum + count, 0) }),
    ...(attributes.length > 0 && { attributes }),
    ...(attribution !== undefined && { attribution }),
  };
}

/** The facts that an address has told about what a datasource shows of it. */
export function factsOfProbe(probe: DatasourceProbe, typeProperties: FreeForm): DatasourceFacts {
  const { layers = typeProperties['layer'] } = typeProperties;
  const texts = [layers].flat().filter((text) => typeof text === 'string');
  const names = new Set(texts.flatMap((text) => text.split(',')));
  const chosen = probe.layers
    .filter(({ name }) => names.has(name))
    .flatMap((layer) => (layer.bbox ? [layer.bbox] : []));
  const boxes = chosen.length > 0 ? chosen : probe.bbox ? [probe.bbox] : [];
  const bbox = unionOf(boxes);
  const hasOptions = Object.keys(probe.typeProperties).length > 0;
  const attribution = plainAttribution(probe.attribution);
  return {
    ...(bbox && { bbox }),
    ...(attribution !== undefined && { attribution }),
    ...(hasOptions && { layerOptions: probe.typeProperties }),
  };
}

/** A box that crosses the antimeridian makes the union the whole circle, unless it is alone. */
function unionOf(boxes: readonly (readonly number[])[]): number[] | undefined {
  const [first, ...others] = boxes;
  if (!first || others.length === 0) return first && [...first];
  const crosses = boxes.some(([west, , east]) => west! > east!);
  const at = (index: number) => boxes.map((box) => box[index]!);
  return [
    crosses ? -180 : Math.min(...at(0)),
    Math.min(...at(1)),
    crosses ? 180 : Math.max(...at(2)),
    Math.max(...at(3)),
  ];
}

function attributesOf(layers: readonly InspectedLayer[]): { name: string; type: string }[] {
  const types = new Map(
    layers.flatMap(({ fields }) => fields.map(({ name, type }) => [name, type] as const)),
  );
  return [...types].slice(0, maxAttributes).map(([name, type]) => ({ name, type }));
}

function heightsOf(details: readonly FreeForm[]): number[] | undefined {
  const ranges = details.flatMap(({ heightRange }) => (isRange(heightRange) ? [heightRange] : []));
  const low = minOf(ranges.map(([from]) => from));
  const high = maxOf(ranges.map(([, to]) => to));
  return low === undefined || high === undefined ? undefined : [low, high];
}

const isRange = (value: unknown): value is [number, number] =>
  Array.isArray(value) && value.length === 2 && value.every(Number.isFinite);

const numbersOf = (details: readonly FreeForm[], key: string) =>
  details.map((one) => one[key]).filter((value): value is number => typeof value === 'number');
const minOf = (numbers: readonly number[]) => (numbers.length > 0 ? Math.min(...numbers) : undefined);
const maxOf = (numbers: readonly number[]) => (numbers.length > 0 ? Math.max(...numbers) : undefined);
