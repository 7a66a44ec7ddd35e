/** GeoJSON of points all over the world, each far from the others. */
export function pointsOfWorld(count: number): Blob {
  const features = Array.from({ length: count }, (_, i) => ({
    type: 'Feature',
    properties: { i },
    geometry: { type: 'Point', coordinates: [((i * 61.803) % 340) - 170, ((i * 41.4) % 160) - 80] },
  }));
  return new Blob([JSON.stringify({ type: 'FeatureCollection', features })]);
}
