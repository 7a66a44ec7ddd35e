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
    ice: '#fbfaf6',
    river: '#86b3c4',
    coast: '#7f9fab',
    border: '#a79c85',
    names: { town: '#2f3d45', country: '#5f5745', halo: '#ffffff' },
  },
  grey: {
    water: '#d3d8db',
    shallows: '#c7cdd1',
    graticule: '#c5cbcf',
    land: '#f5f5f4',
    ice: '#fcfcfc',
    river: '#a3bbc7',
    coast: '#949ca2',
    border: '#aaaaa8',
    names: { town: '#363d42', country: '#565c60', halo: '#ffffff' },
  },
  dark: {
    water: '#0e151a',
    shallows: '#142028',
    graticule: '#17232b',
    land: '#1c2429',
    ice: '#1a252b',
    river: '#34505f',
    coast: '#4a606e',
    border: '#56656f',
    names: { town: '#c6d2d9', country: '#93a5b0', halo: '#0e151a' },
  },
} as const;
export type WorldLook = keyof typeof worldColours;
