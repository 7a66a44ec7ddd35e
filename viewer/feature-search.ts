// Runs in the browser, as a part of start.ts: a search for features of the app's own layers in the search box.
import { findNames, namedBy, type Named } from './find-names.ts';
import { flyTo, viewAbove, type FlightApp, type FlightCore } from './fly-to.ts';
import { addSearch, type SearchBox } from './search-source.ts';

interface Feature {
  get(name: string): unknown;
  getGeometry(): { getExtent(): readonly number[] } | undefined;
}
interface Layer {
  activate(): Promise<void>;
  /** Of layers that load their features themselves, once. */
  fetchData?(): Promise<void>;
  getFeatures?(): readonly Feature[];
}
/** The part of engines 5.0 to 6.3 that is used. */
export interface FeatureSearchApp extends FlightApp {
  readonly layers: { getByKey(name: string): Layer | undefined };
  readonly featureInfo: { selectFeature(feature: Feature): Promise<void> };
  readonly search: SearchBox;
}

interface Searched {
  readonly layer: Layer;
  readonly attribute: string;
  /** Where the names of all features are listed, of layers that have no more than some. */
  readonly namesUrl: string | undefined;
}
/** A feature, or only where it is: pages have no more than some of the tiles. */
interface Place {
  readonly layer: Layer;
  readonly feature?: Feature;
  readonly position?: readonly [longitude: number, latitude: number];
}

/** Of all layers together: reading their names takes the page a moment. */
const maxFeatures = 50_000;
const minDistance = 600;
/** Of the distance of the camera to the larger side of what it shows. */
const distancePerSide = 2;

/** Adds the search if a layer has an attribute to search by; features are read with the first search. @returns ends it */
export function addFeatureSearch(
  app: FeatureSearchApp,
  core: FlightCore,
  modules: readonly Readonly<Record<string, unknown>>[],
): () => void {
  const searched = searchedLayers(app, modules);
  if (searched.length === 0) return () => {};
  let names: Promise<Named<Place>[]> | undefined;
  const show = async ({ layer, feature, position }: Place): Promise<void> => {
    await layer.activate();
    const extent = feature?.getGeometry()?.getExtent();
    const view = position ? viewAbove(position, minDistance) : extent && viewOf(extent);
    if (view !== undefined) await flyTo(app, core, view);
    if (feature !== undefined) await app.featureInfo.selectFeature(feature);
  };
  return addSearch(app.search, 'platen-features', async (text, max) => {
    names ??= readNames(searched);
    const found = findNames(await names, text, max);
    return found.map(({ title, item }) => ({ title, icon: '$vcsPoi', clicked: () => show(item) }));
  });
}

function searchedLayers(
  { layers }: FeatureSearchApp,
  modules: readonly Readonly<Record<string, unknown>>[],
): Searched[] {
  const configs = modules.flatMap(({ layers: list }) => (Array.isArray(list) ? (list as Config[]) : []));
  return configs.flatMap(({ name, properties }) => {
    const attribute = properties?.searchBy;
    const layer = layers.getByKey(name ?? '');
    const namesUrl = properties?.namesUrl;
    if (typeof attribute !== 'string' || layer === undefined) return [];
    return 'getFeatures' in layer || namesUrl !== undefined ? [{ layer, attribute, namesUrl }] : [];
  });
}

interface Config {
  readonly name?: string;
  readonly properties?: { readonly searchBy?: unknown; readonly namesUrl?: string };
}

/** A layer that cannot be loaded has no names; the map says so when the layer is shown. */
async function readNames(searched: readonly Searched[]): Promise<Named<Place>[]> {
  const names: Named<Place>[] = [];
  const lists = searched.map(async (one) =>
    one.namesUrl === undefined ? [] : listedNames(one, one.namesUrl),
  );
  const loaded = searched.filter(({ namesUrl }) => namesUrl === undefined);
  await Promise.allSettled(loaded.map(async ({ layer }) => layer.fetchData?.()));
  for (const list of await Promise.allSettled(lists))
    if (list.status === 'fulfilled') names.push(...list.value.slice(0, maxFeatures - names.length));
  for (const { layer, attribute } of loaded)
    for (const feature of (layer.getFeatures?.() ?? []).slice(0, maxFeatures - names.length)) {
      const named = namedBy(feature.get(attribute), { layer, feature });
      if (named !== undefined) names.push(named);
    }
  return names;
}

/** A line for each name, with its longitude and latitude. */
async function listedNames({ layer }: Searched, url: string): Promise<Named<Place>[]> {
  const response = await fetch(url);
  if (!response.ok) throw new Error(`The names of features cannot be loaded: ${response.status}`);
  const { names } = (await response.json()) as { names: string };
  return names.split('\n').flatMap((line) => {
    const [name, longitude, latitude] = line.split('\t');
    return namedBy(name, { layer, position: [Number(longitude), Number(latitude)] as const }) ?? [];
  });
}

const earthRadius = 6_378_137;
const toDegrees = 180 / Math.PI;

/** From above, over the middle of an extent in Web Mercator. */
function viewOf([west = 0, south = 0, east = 0, north = 0]: readonly number[]) {
  const latitude = 2 * Math.atan(Math.exp((south + north) / 2 / earthRadius)) - Math.PI / 2;
  const side = Math.max(east - west, north - south) * Math.cos(latitude);
  const longitude = (west + east) / 2 / earthRadius;
  return viewAbove(
    [longitude * toDegrees, latitude * toDegrees],
    Math.max(minDistance, side * distancePerSide),
  );
}
