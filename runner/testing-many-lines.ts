/** GeoJSON features, enough to keep a job busy for two seconds. */
export function* manyLines(): Iterable<string> {
  for (let block = 0; block < 8; block++) {
    let text = '';
    for (let i = 0; i < 1000; i++) {
      const [x, y] = [((block * 1000 + i) * 0.61803) % 170, ((block * 1000 + i) * 0.414) % 80];
      const ring = Array.from({ length: 40 }, (_, n) => [
        x + Math.cos(n / 6.5) / 9,
        y + Math.sin(n / 6.5) / 9,
      ]);
      const coordinates = [[...ring, ring[0]]];
      text += `${JSON.stringify({ type: 'Feature', properties: { i, block }, geometry: { type: 'Polygon', coordinates } })}\n`;
    }
    yield text;
  }
}
