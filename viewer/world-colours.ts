/**
 * Muted base maps leave strong colours to the data. On the globe the atmosphere halves the contrast, so it is higher here
 * than a flat map would need.
 */
export const worldColours = {
  light: {
    water: '#b8d2dc',
    shallows: '#a5c5d1',
    graticule: '#a3c3cf',
    land: '#f4f0e5',
    coast: '#7f9fab',
    border: '#a79c85',
  },
  grey: {
    water: '#d3d8db',
    shallows: '#c7cdd1',
    graticule: '#c5cbcf',
    land: '#f5f5f4',
    coast: '#949ca2',
    border: '#aaaaa8',
  },
  dark: {
    water: '#1a242c',
    shallows: '#222e37',
    graticule: '#26333d',
    land: '#35424c',
    coast: '#5f7482',
    border: '#6a7a86',
  },
} as const;
export type WorldLook = keyof typeof worldColours;
