import type { Feature, FeaturePlace } from '@platen/formats/feature/feature';
import type { RejectedFeature } from '../rejects.ts';
import type { RejectCode } from '../warning-codes.ts';
import { layerNameOf, type SourceName } from './layer-name.ts';
import { showableGeometry } from './showable-geometry.ts';

/** Sets a feature aside that cannot be used. */
export type SetAside = (
  code: RejectCode,
  reason: string,
  feature: Feature,
  place: () => FeaturePlace,
) => void;

const longestText = 10_000;
const longestReason = 500;

export function rejectedFeature(
  { file, layer }: SourceName,
  reason: string,
  feature: Feature,
  place: () => FeaturePlace,
): RejectedFeature {
  const { geometry, isPart } = showableGeometry(feature.geometry);
  return {
    file,
    layer: layer ?? layerNameOf(file),
    reason: shortened(reason, longestReason),
    place: place(),
    ...(feature.id !== undefined && { id: feature.id }),
    properties: plain(feature.properties),
    geometry,
    ...(isPart && { isPartOfGeometry: true }),
  };
}

/** What JSON can hold; of texts that are no attributes of a map, the beginning. */
function plain(properties: Readonly<Record<string, unknown>>): Record<string, unknown> {
  const entries = Object.entries(properties).map(([name, value]) => {
    if (typeof value === 'string') return [name, shortened(value, longestText)];
    if (typeof value === 'bigint') return [name, String(value)];
    return [name, typeof value === 'object' && value !== null ? json(value) : value];
  });
  return Object.fromEntries(entries) as Record<string, unknown>;
}

/** As it is, unless it is large or too deep for JSON. */
function json(value: object): unknown {
  try {
    const text = JSON.stringify(value);
    return text.length > longestText ? shortened(text, longestText) : value;
  } catch {
    return '…';
  }
}

export function shortened(text: string, most: number): string {
  return text.length > most ? `${text.slice(0, most)}…` : text;
}

const consequence = 'They are set aside in rejects.geojson';

/** For people, with what to do. */
export function messageOf(code: RejectCode, file: string, reason: string): string {
  const what = shortened(reason, longestReason);
  switch (code) {
    case 'brokenRecord':
      return `Lines or rows of ${file} cannot be read: ${what}. ${consequence}: mend them in the file.`;
    case 'invalidGeometry':
      return `Features of ${file} have a geometry that cannot be used: ${what}. ${consequence}: mend or draw them anew.`;
    case 'withoutGeometry':
      return `Features of ${file} have no geometry, so no map can show them. ${consequence}: give them one, or leave them out by a filter.`;
    case 'invalidCoordinates':
      return `Features of ${file} lie nowhere on Earth: ${what}. ${consequence}. If they are many, name the right CRS at the input.`;
  }
}
