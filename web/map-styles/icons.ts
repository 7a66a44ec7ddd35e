import type { StyleIcon } from '@platen/contract/map-styles';
import { layouts, svgArray } from '@mapbox/maki/browser.esm.js';

/** The icons of Maki, which are drawn in squares of 15 units, of paths only. */
export const icons: readonly Required<StyleIcon>[] = layouts.map((name, i) => ({
  name,
  path: pathOf(svgArray[i]!),
}));

function pathOf(svg: string): string {
  const paths = [...svg.matchAll(/\sd="([^"]*)"/g)].map(([, path]) => path!);
  return paths.join(' ').replaceAll(/&#x[9A];|\s/g, ' ');
}
