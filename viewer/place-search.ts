// Runs in the browser, as a part of start.ts: a search for towns in the search box of the map viewer.
import { findPlaces, readPlaces, type Place, type Places } from './find-places.ts';

interface Viewpoint {
  readonly animate?: boolean;
}
interface Feature {
  setStyle?(style: unknown): void;
}
interface ResultLayer {
  readonly properties: Record<string, unknown>;
  removeAllFeatures(): void;
  addFeatures(features: readonly Feature[]): void;
  activate(): Promise<void>;
}
interface ResultItem {
  readonly title: string;
  readonly icon: string;
  readonly feature: Feature;
  clicked(): Promise<void>;
}
interface SearchSource {
  readonly name: string;
  search(text: string): Promise<ResultItem[]>;
  suggest(text: string): Promise<string[]>;
  abort(): void;
  destroy(): void;
}

/** The part of engines 5.0 to 6.3 that is used. */
export interface SearchApp {
  readonly locale: string;
  readonly maps: {
    readonly activeMap?: { gotoViewpoint(viewpoint: Viewpoint): Promise<void> } | null;
  };
  readonly search: { readonly resultLayer: ResultLayer; add(source: SearchSource, owner: string): void };
}
export interface SearchCore {
  readonly Viewpoint: new (options: object) => Viewpoint;
  readonly parseGeoJSON: (collection: object) => { readonly features: readonly Feature[] };
}

const maxResults = 10;
const maxSuggestions = 6;
/** Height of the camera in metres for towns by the number of digits of their population. */
const distances = [8000, 8000, 8000, 8000, 15_000, 40_000, 80_000];
const source = { provider: 'GeoNames', url: 'https://www.geonames.org/' };

/** Adds the search; towns are fetched from the address with the first search. */
export function addPlaceSearch(app: SearchApp, core: SearchCore, address: string): void {
  let places: Promise<Places> | undefined;
  const find = async (text: string, max: number) => {
    places ??= fetchPlaces(address);
    places.catch(() => (places = undefined));
    return findPlaces(await places, text, { max, nameOf: countryNamer(app.locale) });
  };
  const { resultLayer } = app.search;
  resultLayer.properties['attributions'] ??= source;
  const titleOf = (place: Place) => `${place.name}, ${countryNamer(app.locale)(place.country)}`;
  const resultOf = (place: Place): ResultItem => {
    const { longitude, latitude, size } = place;
    const title = titleOf(place);
    const [feature] = core.parseGeoJSON(pointAt(place, title)).features;
    const options = {
      groundPosition: [longitude, latitude, 0],
      distance: distances[size],
      heading: 0,
      pitch: -90,
      roll: 0,
    };
    return {
      title,
      icon: '$vcsPoi',
      feature: feature!,
      async clicked() {
        resultLayer.removeAllFeatures();
        resultLayer.addFeatures([feature!]);
        await resultLayer.activate();
        await app.maps.activeMap?.gotoViewpoint(new core.Viewpoint({ ...options, animate: true }));
      },
    };
  };
  app.search.add(
    {
      name: 'platen-places',
      search: async (text) => (await find(text, maxResults)).map(resultOf),
      suggest: async (text) => (await find(text, maxSuggestions)).map(titleOf),
      abort() {},
      destroy() {},
    },
    'platen',
  );
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
