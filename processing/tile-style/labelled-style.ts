import type { MapStyle, StyledShape } from '@platen/contract/map-styles';
import { styleItem } from '@platen/styles/style-item';
import { coloursOf } from './colours.ts';
import { kindsOf, type DescribedLabels, type DescribedLayer } from './described-tileset.ts';
import type { VcMapStyle } from './vc-map-style.ts';

const shapes = { Point: 'point', LineString: 'line', Polygon: 'area' } as const;

/** A style of one colour with the labels that were placed in the tiles; its legend is empty. */
export function labelledStyle(
  layers: readonly DescribedLayer[],
  { attribute, size }: DescribedLabels,
): VcMapStyle {
  const [colour] = coloursOf([layers[0]?.name ?? '']);
  const [kind, ...others] = new Set(layers.flatMap(kindsOf));
  const shape: StyledShape = kind === undefined || others.length > 0 ? 'mixed' : shapes[kind];
  const style: MapStyle = {
    colour: { type: 'single', colour: colour! },
    label: { attribute, size },
    hasPlacedLabels: true,
  };
  return styleItem(style, shape, { locale: 'en', others: '', noValue: '' });
}
