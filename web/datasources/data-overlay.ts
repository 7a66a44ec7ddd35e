import type { Datasource } from '@platen/contract/datasources';
import type { DataLink } from '@platen/contract/open-in';
import type { LayerSpecification, SourceSpecification } from 'maplibre-gl';
import type { MapColours, Overlay } from '../map/base-style.ts';

interface TileJson {
  readonly tiles: readonly string[];
  readonly minzoom?: number;
  readonly maxzoom?: number;
  readonly bounds?: [number, number, number, number];
  readonly vector_layers?: readonly { readonly id: string }[];
}

/** The source from which a flat map draws a datasource; undefined if it can only be shown in 3D. */
export function flatSourceOf(
  { type, sourceProperties }: Pick<Datasource, 'type' | 'sourceProperties'>,
  links: readonly DataLink[],
): { readonly kind: 'tiles' | 'images' | 'geojson'; readonly url: string } | undefined {
  if (sourceProperties.type === 'external') return undefined; // the page requests no other host
  const find = (kind: DataLink['kind']) => links.find((link) => link.kind === kind)?.url;
  const tileJson = find('tilejson');
  if (type === 'vectortiles' && tileJson !== undefined) return { kind: 'tiles', url: pathOf(tileJson) };
  if ((type === 'tms' || type === 'wmts') && tileJson !== undefined)
    return { kind: 'images', url: pathOf(tileJson) };
  const geojson = find('geojson');
  return type === 'geojson' && geojson !== undefined ? { kind: 'geojson', url: pathOf(geojson) } : undefined;
}

/** Links contain the service's public host; the page stays with its own origin. */
function pathOf(url: string): string {
  const { pathname, search } = new URL(url);
  return pathname + search;
}

/** Degrees of latitude: across more, a flat map bends a picture whose rows are equally far apart. */
const maxPictureDegrees = 6;

/** The picture of data that a flat map cannot draw, such as the relief of terrain, with the box that it covers. */
export function pictureOf(
  {
    type,
    properties,
    sourceProperties,
    bbox,
  }: Pick<Datasource, 'type' | 'properties' | 'sourceProperties' | 'bbox'>,
  links: readonly DataLink[],
): { readonly url: string; readonly box: readonly number[] } | undefined {
  const isPictured = type === 'qmesh' || type === 'cog' || type === 'generic';
  const data = links.find(({ kind }) => kind === 'terrain' || kind === 'cog' || kind === 'file')?.url;
  const address = data === undefined ? undefined : /^\/data\/[^/]+\//.exec(`${pathOf(data)}/`)?.[0];
  if (!isPictured || sourceProperties.type === 'external' || address === undefined) return undefined;
  if (typeof properties['thumbnail'] !== 'string' || !bbox || bbox[3]! - bbox[1]! > maxPictureDegrees)
    return undefined;
  return { url: `${address}thumbnail.png`, box: bbox };
}

export function pictureOverlay(url: string, [west, south, east, north]: readonly number[]): Overlay {
  const corners = [
    [west!, north!],
    [east!, north!],
    [east!, south!],
    [west!, south!],
  ] as [[number, number], [number, number], [number, number], [number, number]];
  return {
    sources: { picture: { type: 'image', url, coordinates: corners } },
    layers: [{ id: 'picture', type: 'raster', source: 'picture', paint: { 'raster-fade-duration': 0 } }],
  };
}

/** A vector or raster overlay from TileJSON; its URLs are changed to the page's origin. */
export function tilesOverlay(
  tileJson: TileJson,
  { colours, isVector, origin }: { colours: MapColours; isVector: boolean; origin: string },
): Overlay {
  const tiles = tileJson.tiles.map((tile) => origin + pathOfTemplate(tile));
  const common = {
    tiles,
    ...(tileJson.minzoom !== undefined && { minzoom: tileJson.minzoom }),
    ...(tileJson.maxzoom !== undefined && { maxzoom: tileJson.maxzoom }),
    ...(tileJson.bounds && { bounds: tileJson.bounds }),
  };
  const source: SourceSpecification = isVector
    ? { type: 'vector', ...common }
    : { type: 'raster', tileSize: 256, ...common };
  const layers: LayerSpecification[] = isVector
    ? (tileJson.vector_layers ?? []).flatMap(({ id }) => vectorLayers(id, colours))
    : [{ id: 'data-images', type: 'raster', source: 'data', paint: { 'raster-fade-duration': 0 } }];
  return { sources: { data: source }, layers };
}

/** Not parsed as URL, which would escape the braces of the template. */
const pathOfTemplate = (template: string) => template.replace(/^https?:\/\/[^/]+/, '');

function vectorLayers(id: string, colours: MapColours): LayerSpecification[] {
  const common = { source: 'data', 'source-layer': id };
  return [
    {
      id: `data-${id}-fill`,
      type: 'fill',
      filter: ['==', ['geometry-type'], 'Polygon'],
      paint: { 'fill-color': colours.signal, 'fill-opacity': 0.35, 'fill-outline-color': colours.signal },
      ...common,
    },
    {
      id: `data-${id}-line`,
      type: 'line',
      filter: ['==', ['geometry-type'], 'LineString'],
      paint: { 'line-color': colours.signal, 'line-width': 1.4 },
      ...common,
    },
    {
      id: `data-${id}-point`,
      type: 'circle',
      filter: ['==', ['geometry-type'], 'Point'],
      paint: {
        'circle-color': colours.signal,
        'circle-radius': ['interpolate', ['linear'], ['zoom'], 3, 2, 12, 5],
        'circle-stroke-color': colours['map-halo'],
        'circle-stroke-width': 0.8,
      },
      ...common,
    },
  ];
}

export type { TileJson };
