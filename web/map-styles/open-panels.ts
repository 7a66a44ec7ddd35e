import type { FreeForm } from '@platen/contract/schema';

/** Settings of a map that open its list of layers at the start, and the legend if it says more than names of layers. */
export const openPanels = (styles: readonly (FreeForm | undefined)[]): FreeForm[] => [
  { name: 'contentTreeActiveOnStartup', value: true },
  ...(styles.some(explainsColours) ? [{ name: 'openLegendOnAdd', value: true }] : []),
];

function explainsColours(style: FreeForm | undefined): boolean {
  const { legend } = (style?.['properties'] ?? {}) as { legend?: readonly { rows?: readonly object[] }[] };
  return legend?.some(({ rows }) => (rows?.length ?? 0) > 1) ?? false;
}
