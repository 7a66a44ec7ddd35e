import type { Feature, FeaturePlace } from '@platen/formats/feature/feature';
import type { RejectedFeature } from '../rejects.ts';
import type { RejectCode } from '../warning-codes.ts';
import { layerNameOf, type SourceName } from './layer-name.ts';
import { displayableGeometry } from './displayable-geometry.ts';

/** Rejects a feature that cannot be used. */
export type RejectFeature = (
  code: RejectCode,
  reason: string,
  feature: Feature,
  place: () => FeaturePlace,
) => void;

const maxTextLength = 10_000;
const maxReasonLength = 500;

export function describeRejectedFeature(
  { file, layer }: SourceName,
  reason: string,
  feature: Feature,
  place: () => FeaturePlace,
): RejectedFeature {
  const { geometry, isPart } = displayableGeometry(feature.geometry);
  return {
    file,
    layer: layer ?? layerNameOf(file),
    reason: truncate(reason, maxReasonLength),
    place: place(),
    ...(feature.id !== undefined && { id: feature.id }),
    properties: jsonProperties(feature.properties),
    geometry,
    ...(isPart && { isPartOfGeometry: true }),
  };
}

/** Makes properties serialisable as JSON and truncates long texts. */
function jsonProperties(properties: Readonly<Record<string, unknown>>): Record<string, unknown> {
  const entries = Object.entries(properties).map(([name, value]) => {
    if (typeof value === 'string') return [name, truncate(value, maxTextLength)];
    if (typeof value === 'bigint') return [name, String(value)];
    return [name, typeof value === 'object' && value !== null ? json(value) : value];
  });
  return Object.fromEntries(entries) as Record<string, unknown>;
}

/** Returns the value itself unless it is large or too deeply nested for JSON. */
function json(value: object): unknown {
  try {
    const text = JSON.stringify(value);
    return text.length > maxTextLength ? truncate(text, maxTextLength) : value;
  } catch {
    return '…';
  }
}

export function truncate(text: string, maxLength: number): string {
  return text.length > maxLength ? `${text.slice(0, maxLength)}…` : text;
}

const consequence = 'They are in rejects.geojson';

/** The warning's message, with advice. */
export function rejectMessage(code: RejectCode, file: string, reason: string): string {
  const what = truncate(reason, maxReasonLength);
  switch (code) {
    case 'brokenRecord':
      return `Lines or rows of ${file} cannot be read: ${what}. ${consequence}. Correct them in the file.`;
    case 'invalidGeometry':
      return `Features of ${file} have a geometry that cannot be used: ${what}. ${consequence}. Repair them or draw them again.`;
    case 'withoutGeometry':
      return `Features of ${file} have no geometry, so no map can show them. ${consequence}. Add a geometry, or exclude them with a filter.`;
    case 'invalidCoordinates':
      return `Features of ${file} have invalid coordinates: ${what}. ${consequence}. If there are many, enter the right CRS at the input.`;
    case 'brokenSheet':
      return `Sheets of ${file} cannot be read: ${what}. ${consequence}. Upload them again.`;
  }
}
