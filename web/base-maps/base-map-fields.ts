import { worldMaps, type BaseMap, type BaseMapType } from '@platen/contract/base-maps';

/** What the form edits: all fields as text. */
export interface BaseMapFields {
  name: string;
  type: BaseMapType;
  url: string;
  datasourceId: string | undefined;
  layer: string;
  style: string;
  tileMatrixSet: string;
  format: NonNullable<BaseMap['format']> | '';
  minZoom: string;
  maxZoom: string;
  attribution: string;
  attributionUrl: string;
  thumbnail: string;
}

export function fieldsOf(baseMap: BaseMap | undefined): BaseMapFields {
  return {
    name: baseMap?.name ?? '',
    type: baseMap?.type ?? 'xyz',
    url: baseMap?.url ?? '',
    datasourceId: baseMap?.datasourceId,
    layer: baseMap?.layer ?? '',
    style: baseMap?.style ?? '',
    tileMatrixSet: baseMap?.tileMatrixSet ?? '',
    format: baseMap?.format ?? '',
    minZoom: textOf(baseMap?.minZoom),
    maxZoom: textOf(baseMap?.maxZoom),
    attribution: baseMap?.attribution?.text ?? '',
    attributionUrl: baseMap?.attribution?.url ?? '',
    thumbnail: baseMap?.thumbnail ?? '',
  };
}

const textOf = (number: number | undefined) => (number === undefined ? '' : String(number));

/** The fields that a type has besides name, source, zooms and thumbnail. */
export const fieldsByType: Readonly<Record<BaseMapType, readonly (keyof BaseMapFields)[]>> = {
  xyz: ['url', 'format'],
  pmtiles: ['url'],
  wmts: ['url', 'layer', 'tileMatrixSet', 'style', 'format'],
  wms: ['url', 'layer', 'style', 'format'],
  terrain: ['url'],
  datasource: ['datasourceId'],
};

/** Fields of other types and empty ones are left out; what the form does not show stays. */
export function baseMapOf(fields: BaseMapFields, id: string, former: BaseMap | undefined): BaseMap {
  const { type, name, attribution, attributionUrl, thumbnail, minZoom, maxZoom } = fields;
  const own = fieldsByType[type].flatMap((field) => {
    const value = fields[field]?.trim();
    return value ? [[field, value] as const] : [];
  });
  return {
    id,
    name: name.trim(),
    type,
    ...(Object.fromEntries(own) as Partial<BaseMap>),
    ...(minZoom !== '' && { minZoom: Number(minZoom) }),
    ...(maxZoom !== '' && { maxZoom: Number(maxZoom) }),
    ...(former?.bbox && { bbox: former.bbox }),
    ...(attribution.trim() !== '' && {
      attribution: {
        text: attribution.trim(),
        ...(attributionUrl.trim() !== '' && { url: attributionUrl.trim() }),
      },
    }),
    ...(thumbnail.trim() !== '' && { thumbnail: thumbnail.trim() }),
  };
}

/** An id made of a name, which no other base map has. */
export function idFor(name: string, taken: readonly string[]): string {
  const plain = name
    .normalize('NFKD')
    .toLowerCase()
    .replaceAll('ß', 'ss')
    .replaceAll(/[^a-z\d\s-]/g, '')
    .trim()
    .replaceAll(/[\s-]+/g, '-')
    .slice(0, 30);
  const base = /[a-z\d]+(?:-[a-z\d]+)*/.exec(plain)?.[0] ?? 'map';
  const used = new Set([...taken, ...worldMaps]);
  for (let n = 1; ; n++) {
    const id = n === 1 ? base : `${base}-${n}`;
    if (!used.has(id)) return id;
  }
}
