// Runs in the browser, as a part of start.ts: a search for towns in the search box of the map viewer.
import { findPlaces, readPlaces, type Place, type Places } from './find-places.ts';
import { flyTo, viewAbove, type FlightApp, type FlightCore } from './fly-to.ts';
import { addSearch, type SearchBox } from './search-source.ts';

interface Feature {
  setStyle?(style: unknown): void;
}
interface ResultLayer {
  readonly properties: Record<string, unknown>;
  removeAllFeatures(): void;
  addFeatures(features: readonly Feature[]): void;
  activate(): Promise<void>;
}

/** The part of engines 5.0 to 6.3 that is used. */
export interface SearchApp extends FlightApp {
  readonly locale: string;
  readonly search: SearchBox & { readonly resultLayer: ResultLayer };
}
export interface SearchCore extends FlightCore {
  readonly parseGeoJSON: (collection: object) => { readonly features: readonly Feature[] };
}

/** Height of the camera in metres for towns by the number of digits of their population. */
const distances = [8000, 8000, 8000, 8000, 15_000, 40_000, 80_000];
const source = { provider: 'GeoNames', url: 'https://www.geonames.org/' };

/** Adds the search; towns are fetched from the address with the first search. */
export function addPlaceSearch(app: SearchApp, core: SearchCore, address: string): void {
  let places: Promise<Places> | undefined;
  const { resultLayer } = app.search;
  resultLayer.properties['attributions'] ??= source;
  const resultOf = (place: Place) => {
    const { longitude, latitude, size } = place;
    const title = `${place.name}, ${countryNamer(app.locale)(place.country)}`;
    const [feature] = core.parseGeoJSON(pointAt(place, title)).features;
    return {
      title,
      icon: '$vcsPoi',
      feature: feature!,
      async clicked() {
        resultLayer.removeAllFeatures();
        resultLayer.addFeatures([feature!]);
        await resultLayer.activate();
        await flyTo(app, core, viewAbove([longitude, latitude], distances[size]!));
      },
    };
  };
  addSearch(app.search, 'platen-places', async (text, max) => {
    places ??= fetchPlaces(address);
    places.catch(() => (places = undefined));
    return findPlaces(await places, text, { max, nameOf: countryNamer(app.locale) }).map(resultOf);
  });
}

async function fetchPlaces(address: string): Promise<Places> {
  const response = await fetch(address);
  if (!response.ok) throw new Error(`The places cannot be loaded: ${response.status}`);
  const { places } = (await response.json()) as { places: string };
  return readPlaces(places);
}

const namers = new Map<string, Intl.DisplayNames>();

function countryNamer(locale: string): (country: string) => string {
  const namer = namers.get(locale) ?? new Intl.DisplayNames([locale], { type: 'region' });
  namers.set(locale, namer);
  return (country) => namer.of(country) ?? country;
}

const pointAt = ({ longitude, latitude }: Place, title: string) => ({
  type: 'FeatureCollection',
  features: [
    {
      type: 'Feature',
      properties: { title },
      geometry: { type: 'Point', coordinates: [longitude, latitude] },
    },
  ],
});
