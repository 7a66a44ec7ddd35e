import { api } from '../api/api.ts';

const name = 'european-capitals.geojson';

/** Longitude, latitude and people in millions (cities proper, rounded) of some capitals. */
const capitals: readonly (readonly [name: string, longitude: number, latitude: number, people: number])[] = [
  ['Amsterdam', 4.9, 52.37, 0.93],
  ['Athens', 23.73, 37.98, 0.64],
  ['Berlin', 13.4, 52.52, 3.76],
  ['Bern', 7.45, 46.95, 0.13],
  ['Brussels', 4.35, 50.85, 1.24],
  ['Budapest', 19.04, 47.5, 1.69],
  ['Copenhagen', 12.57, 55.68, 0.66],
  ['Dublin', -6.26, 53.35, 0.59],
  ['Helsinki', 24.94, 60.17, 0.67],
  ['Lisbon', -9.14, 38.72, 0.55],
  ['London', -0.13, 51.51, 8.87],
  ['Luxembourg', 6.13, 49.61, 0.13],
  ['Madrid', -3.7, 40.42, 3.33],
  ['Oslo', 10.75, 59.91, 0.71],
  ['Paris', 2.35, 48.86, 2.1],
  ['Prague', 14.42, 50.09, 1.36],
  ['Rome', 12.5, 41.9, 2.75],
  ['Stockholm', 18.07, 59.33, 0.99],
  ['Vienna', 16.37, 48.21, 1.98],
  ['Warsaw', 21.01, 52.23, 1.86],
];

/** Uploads a small sample file to the project; resolves to its key. */
export async function addSampleData(projectId: string, dataBucketId: string): Promise<string> {
  const features = capitals.map(([city, longitude, latitude, people]) => ({
    type: 'Feature',
    properties: { name: city, millions: people },
    geometry: { type: 'Point', coordinates: [longitude, latitude] },
  }));
  const body = new FormData();
  const text = JSON.stringify({ type: 'FeatureCollection', features });
  body.append('file', new File([text], name, { type: 'application/geo+json' }));
  await api.postProjectDataBucketUpload({
    params: { projectId, dataBucketId },
    query: { overwrite: true },
    body,
  });
  return name;
}
