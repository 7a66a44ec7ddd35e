import type { Inspection } from '@platen/contract/inspect';
import { isBounds } from '../map/bounds.ts';

type Corner = [longitude: number, latitude: number];

/** The picture of an image or terrain in its place, by its corners from the north-west clockwise. */
export interface PlacedPicture {
  readonly url: string;
  readonly coordinates: [Corner, Corner, Corner, Corner];
}

/** Only for a single picture: with several, it is unknown which one it is. */
export function placedPicture({
  thumbnail: url,
  kind,
  layers,
}: Pick<Inspection, 'thumbnail' | 'kind' | 'layers'>): PlacedPicture | undefined {
  const [box, ...others] = layers.flatMap(({ bbox }) => (isBounds(bbox) ? [bbox] : []));
  const isImage = kind === 'raster' || kind === 'terrain';
  if (url === undefined || !isImage || !box || others.length > 0 || box[0] > box[2]) return undefined;
  const [west, south, east, north] = box;
  const coordinates: PlacedPicture['coordinates'] = [
    [west, north],
    [east, north],
    [east, south],
    [west, south],
  ];
  return { url, coordinates };
}
