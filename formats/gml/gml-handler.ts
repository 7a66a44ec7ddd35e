import { createFeature, type VisitFeature } from '../feature/feature.ts';
import { guessValue } from '../xml/guess-value.ts';
import type { XmlHandler, XmlReader } from '../xml/read-xml.ts';
import type { XmlPlace } from '../xml/xml-window.ts';
import { setProperty } from '../xml/set-property.ts';
import { contextOf, createFeatureTracker } from './feature-tracker.ts';
import { gmlCrs } from './gml-crs.ts';
import { createGmlGeometry, type GmlContext } from './gml-geometry.ts';
import { gmlRole, isGmlNamespace } from './gml-names.ts';

export interface GmlHandlerOptions {
  /** The layer's; features in another CRS are set aside. */
  readonly srsName: string | undefined;
  readonly rootIsFeature: boolean;
  readonly context: GmlContext;
  readonly featuresBefore: number;
  readonly keepsHeights?: boolean | undefined;
  /** Converts a position in the text that is read to one in the file. */
  readonly place: (place: XmlPlace) => Partial<XmlPlace>;
}

export interface GmlHandler extends XmlHandler {
  readonly features: number;
}

/** GML 2.1.2, 3.1.1 and 3.2.1 without their schemas: what has no children is an attribute. */
export function createGmlHandler(visit: VisitFeature, options: GmlHandlerOptions): GmlHandler {
  const { srsName: layerName, rootIsFeature } = options;
  const layerCrs = layerName === undefined ? undefined : gmlCrs(layerName);
  const feature = createFeature(options.keepsHeights);
  const geometry = createGmlGeometry(feature.geometry);
  const tracker = createFeatureTracker(rootIsFeature);
  /** Names of the open elements of the feature, from its children on. */
  const path: string[] = [];
  let features = 0;
  let context: GmlContext = options.context;
  let hasGeometry = false;
  let geometryDepth = 0;
  let skippedDepth = 0;
  /** Depth of the most recently opened element, while it has no children. */
  let leafDepth = 0;
  let leaf = '';
  let href: string | undefined;
  let isNil = false;
  let reader!: XmlReader;
  const place = () => ({
    feature: options.featuresBefore + features + 1,
    ...options.place(reader.heldPlace()),
  });

  const startFeature = (xml: XmlReader): void => {
    xml.hold();
    geometry.clear();
    feature.id = xml.attribute('id') ?? xml.attribute('fid');
    feature.properties = {};
    feature.problem = undefined;
    const { srsName, dimension } = tracker.context;
    context = {
      srsName: srsName ?? options.context.srsName ?? layerName,
      dimension: dimension ?? options.context.dimension,
    };
    hasGeometry = false;
    path.length = 0;
  };
  const endFeature = (xml: XmlReader): void => {
    if (xml.takeBadText()) feature.problem ??= 'a text is not valid UTF-8: select the encoding of the file';
    reader = xml;
    visit(feature, place);
    features++;
    xml.release();
  };
  const finishGeometry = (): void => {
    const { srsName, problem } = geometry.finish();
    if (problem !== undefined) feature.problem ??= problem;
    if (layerCrs === undefined || srsName === undefined || gmlCrs(srsName).key === layerCrs.key) return;
    feature.problem ??= `its geometry is in ${srsName.slice(0, 100)}, but others of its type are in ${layerName?.slice(0, 100)}`;
  };
  const startInFeature = (xml: XmlReader): void => {
    const { local } = xml.name;
    if (skippedDepth > 0) {
      if (!hasGeometry && gmlRole(local) === 'box') context = contextOf(xml, context);
      return;
    }
    if (gmlRole(local) !== undefined && isGmlNamespace(xml.namespace())) {
      leafDepth = 0;
      if (hasGeometry) skippedDepth = xml.depth;
      else {
        hasGeometry = true;
        geometryDepth = xml.depth;
        geometry.begin(context);
        geometry.start(xml);
      }
      return;
    }
    if ((local === 'boundedBy' || local === 'metaDataProperty') && isGmlNamespace(xml.namespace())) {
      skippedDepth = xml.depth;
      return;
    }
    path.push(local);
    leafDepth = xml.depth;
    leaf = '';
    href = xml.attribute('href');
    isNil = xml.attribute('nil') === 'true' || xml.attribute('nil') === '1';
  };
  const endAttribute = (xml: XmlReader): void => {
    if (leafDepth === xml.depth) {
      const text = leaf === '' ? href : leaf;
      const name = path.length === 1 ? path[0]! : path.join('.');
      append(feature.properties, name, isNil || text === undefined ? null : guessValue(text));
    }
    leafDepth = 0;
    path.pop();
  };

  return {
    get features() {
      return features;
    },
    start(xml) {
      if (tracker.start(xml)) startFeature(xml);
      else if (tracker.depth === 0) return;
      else if (geometryDepth > 0) geometry.start(xml);
      else startInFeature(xml);
    },
    text(xml) {
      if (tracker.depth === 0 || skippedDepth > 0) return;
      if (geometryDepth > 0) geometry.text(xml);
      else if (leafDepth > 0) leaf = xml.text();
    },
    end(xml) {
      if (tracker.end(xml)) {
        endFeature(xml);
      } else if (tracker.depth === 0) return;
      else if (skippedDepth > 0) {
        if (skippedDepth === xml.depth) skippedDepth = 0;
      } else if (geometryDepth > 0) {
        geometry.end(xml);
        if (geometryDepth !== xml.depth) return;
        geometryDepth = 0;
        finishGeometry();
      } else endAttribute(xml);
    },
  };
}

/** Repeated values become an array. */
function append(properties: Record<string, unknown>, name: string, value: unknown): void {
  if (!Object.hasOwn(properties, name)) {
    setProperty(properties, name, value);
    return;
  }
  const present = properties[name];
  if (Array.isArray(present)) present.push(value);
  else setProperty(properties, name, [present, value]);
}
