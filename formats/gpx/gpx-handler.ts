import { createFeature, type VisitFeature } from '../feature/feature.ts';
import { clearGeometry, pushHeight, pushPosition } from '../feature/geometry-buffer.ts';
import { endPart, endRing } from '../wkb/build-geometry.ts';
import { guessValue } from '../xml/guess-value.ts';
import { toNumber } from '../xml/read-numbers.ts';
import type { XmlHandler, XmlReader } from '../xml/read-xml.ts';
import { setProperty } from '../xml/set-property.ts';

/** The children of `gpx` that are features, and the layers they make. */
export const gpxLayers = { wpt: 'waypoints', rte: 'routes', trk: 'tracks' } as const;
export type GpxElement = keyof typeof gpxLayers;

export interface GpxHandler extends XmlHandler {
  readonly features: number;
}

/** Elements that the schema of GPX 1.1 defines as text, even if they look like a number. */
const texts = new Set(['name', 'cmt', 'desc', 'src', 'sym', 'type', 'time', 'fix', 'text', 'url', 'urlname']);
const positions = new Set(['wpt', 'rtept', 'trkpt']);

/** GPX 1.0 and 1.1, by local names: the features of one kind. */
export function createGpxHandler(kind: GpxElement, visit: VisitFeature, keepsHeights = false): GpxHandler {
  const feature = createFeature(keepsHeights);
  const { geometry } = feature;
  const path: string[] = [];
  let features = 0;
  let inFeature = false;
  let pointDepth = 0;
  let leafDepth = 0;
  /** In the `ele` of a point of a route or track. */
  let isElevation = false;
  let leaf = '';
  let reader!: XmlReader;
  const place = () => ({ feature: features + 1, ...reader.heldPlace() });

  const startPoint = (xml: XmlReader): void => {
    const x = toNumber(xml.attribute('lon') ?? '');
    const y = toNumber(xml.attribute('lat') ?? '');
    if (Number.isFinite(x) && Number.isFinite(y)) pushPosition(geometry, x, y);
    else feature.problem ??= `a ${xml.name.local} has no numeric lat and lon`;
  };
  const startFeature = (xml: XmlReader): void => {
    inFeature = true;
    xml.hold();
    clearGeometry(geometry);
    feature.id = undefined;
    feature.properties = {};
    feature.problem = undefined;
    if (kind === 'wpt') startPoint(xml);
  };
  const endFeature = (xml: XmlReader): void => {
    inFeature = false;
    endPart(geometry, kind === 'wpt' ? 'Point' : kind === 'rte' ? 'LineString' : 'MultiLineString', 0);
    if (xml.takeBadText()) feature.problem ??= 'a text is not valid UTF-8: select the encoding of the file';
    reader = xml;
    visit(feature, place);
    features++;
    xml.release();
  };
  const set = (name: string, value: unknown): void => {
    if (!Object.hasOwn(feature.properties, name)) setProperty(feature.properties, name, value);
  };

  return {
    get features() {
      return features;
    },
    start(xml) {
      const { local } = xml.name;
      if (xml.depth < 2) return;
      if (xml.depth === 2) {
        if (local === kind) startFeature(xml);
        else xml.skip();
        return;
      }
      // for the points of a route or track only the position is kept, and the elevation if it is asked for
      if (positions.has(local) && pointDepth === 0 && !path.includes('extensions')) {
        startPoint(xml);
        pointDepth = xml.depth;
        if (!keepsHeights) xml.skip();
        return;
      }
      if (pointDepth > 0) {
        isElevation = local === 'ele' && xml.depth === pointDepth + 1;
        if (!isElevation) xml.skip();
        return;
      }
      path.push(local);
      leafDepth = xml.depth;
      leaf = local === 'link' ? (xml.attribute('href') ?? '') : '';
      if (local === 'link') set('link', leaf);
    },
    text(xml) {
      if (isElevation) pushHeight(geometry, toNumber(xml.text()));
      else if (inFeature && leafDepth > 0) leaf = xml.text();
    },
    end(xml) {
      if (xml.depth < 2) return;
      if (xml.depth === 2) {
        if (inFeature) endFeature(xml);
        return;
      }
      if (pointDepth > 0) {
        isElevation = false;
        if (pointDepth === xml.depth) pointDepth = 0;
        return;
      }
      const local = path.pop()!;
      if (local === 'ele' && kind === 'wpt' && path.length === 0) pushHeight(geometry, toNumber(leaf));
      const isLeaf = leafDepth === xml.depth && leaf !== '' && local !== 'link';
      if (local === 'trkseg' && path.length === 0) endRing(geometry);
      else if (isLeaf && path[0] === 'extensions') set(local, guessValue(leaf));
      else if (isLeaf && path.length === 0) set(local, texts.has(local) ? leaf : guessValue(leaf));
      leafDepth = 0;
    },
  };
}
