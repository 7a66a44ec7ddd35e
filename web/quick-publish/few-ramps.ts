/** Ramps for everyone; the form of the job offers all. */
export const fewRamps = ['Viridis', 'Terrain', 'Magma', 'YlGnBu', 'RdYlGn'] as const;
