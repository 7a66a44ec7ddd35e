import { worldMaps, type BaseMap, type BaseMapType } from '@platen/contract/base-maps';
import { invalidAt } from '../../base/failure.ts';
import { originOf } from '../../base/origin-of.ts';

interface Rules {
  /** Fields that the type needs. */
  readonly needs: readonly (keyof BaseMap)[];
  /** Fields that it may have besides those of all types. */
  readonly allows: readonly (keyof BaseMap)[];
  /** Placeholders of its address; without them it is a plain one. */
  readonly placeholders: readonly string[];
}

const rules: Readonly<Record<BaseMapType, Rules>> = {
  xyz: { needs: ['url', 'attribution'], allows: ['format'], placeholders: ['{z}', '{x}', '{y}'] },
  pmtiles: { needs: ['url', 'attribution'], allows: [], placeholders: [] },
  wmts: {
    needs: ['url', 'attribution'],
    allows: ['layer', 'style', 'tileMatrixSet', 'format'],
    placeholders: ['{TileMatrix}', '{TileCol}', '{TileRow}'],
  },
  wms: { needs: ['url', 'layer', 'attribution'], allows: ['style', 'format'], placeholders: [] },
  terrain: { needs: ['url', 'attribution'], allows: [], placeholders: [] },
  datasource: { needs: ['datasourceId'], allows: [], placeholders: [] },
};
const special = ['url', 'datasourceId', 'layer', 'style', 'tileMatrixSet', 'format'] as const;
/** Placeholders of a WMTS that other fields replace. */
const furtherPlaceholders = ['{TileMatrixSet}', '{Style}', '{style}'];

/** Checks what the schema cannot say. @throws Failure `invalid` at the first problem */
export function requireBaseMaps(baseMaps: readonly BaseMap[]): void {
  for (const [index, baseMap] of baseMaps.entries()) {
    const at = `/baseMaps/${index}`;
    const { id } = baseMap;
    if (worldMaps.some((world) => world === id))
      throw invalidAt(`${at}/id`, `${id} is the id of a world map of this service. Choose another one.`);
    if (baseMaps.findIndex((other) => other.id === id) < index)
      throw invalidAt(`${at}/id`, `Another base map of this list has the id ${id}.`, 'duplicate');
    requireFields(baseMap, at);
    requireAddresses(baseMap, at);
    requireNumbers(baseMap, at);
  }
}

function requireFields(baseMap: BaseMap, at: string): void {
  const { needs, allows } = rules[baseMap.type];
  for (const field of needs)
    if (baseMap[field] === undefined)
      throw invalidAt(`${at}/${field}`, `A base map of the type ${baseMap.type} needs it.`, 'required');
  for (const field of special)
    if (baseMap[field] !== undefined && !needs.includes(field) && !allows.includes(field))
      throw invalidAt(`${at}/${field}`, `A base map of the type ${baseMap.type} does not have it.`);
}

function requireAddresses({ type, url, layer, tileMatrixSet, attribution, thumbnail }: BaseMap, at: string) {
  if (url !== undefined) requireTemplate(type, url, `${at}/url`);
  if (type === 'wmts' && url !== undefined && !url.includes('{'))
    for (const [field, value] of Object.entries({ layer, tileMatrixSet }))
      if (value === undefined)
        throw invalidAt(`${at}/${field}`, 'A WMTS needs it unless its address is a template.', 'required');
  if (attribution?.url !== undefined) requireWeb(attribution.url, `${at}/attribution/url`);
  if (thumbnail !== undefined) requireWeb(thumbnail, `${at}/thumbnail`);
}

function requireTemplate(type: BaseMapType, url: string, pointer: string): void {
  requireWeb(url.replaceAll(/[{}]/g, ''), pointer);
  if (type === 'pmtiles' && url.includes('#'))
    throw invalidAt(pointer, 'The address of an archive has no part behind a #.');
  const { placeholders } = rules[type];
  const found = [...url.matchAll(/\{[^{}]*\}/g)].map(([placeholder]) => placeholder);
  if (type === 'wmts' && found.length === 0) return;
  const missing = placeholders.filter((placeholder) => !found.includes(placeholder));
  if (missing.length > 0) throw invalidAt(pointer, `The template lacks ${missing.join(', ')}.`);
  const known = type === 'wmts' ? [...placeholders, ...furtherPlaceholders] : placeholders;
  const unknown = found.find((placeholder) => !known.includes(placeholder));
  if (unknown === undefined) return;
  const possible =
    known.length === 0 ? 'no placeholders are possible' : `only ${known.join(', ')} are possible`;
  throw invalidAt(pointer, `${unknown.slice(0, 40)} cannot be replaced: ${possible} here.`);
}

function requireWeb(url: string, pointer: string): void {
  if (URL.canParse(url) && originOf(url) !== undefined) return;
  throw invalidAt(
    pointer,
    'It must be a complete web address without a login, such as https://maps.city.example/light/{z}/{x}/{y}.png.',
  );
}

function requireNumbers({ minZoom = 0, maxZoom = 30, bbox }: BaseMap, at: string): void {
  if (minZoom > maxZoom) throw invalidAt(`${at}/minZoom`, 'It must not be above maxZoom.');
  if (bbox === undefined) return;
  const [west, south, east, north] = bbox as [number, number, number, number];
  const isInside = Math.abs(south) <= 90 && Math.abs(north) <= 90;
  if (isInside && south < north && west < east) return;
  throw invalidAt(`${at}/bbox`, 'The order is west, south, east, north in degrees, with an area.');
}
