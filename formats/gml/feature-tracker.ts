import type { XmlReader } from '../xml/read-xml.ts';
import type { GmlContext } from './gml-geometry.ts';
import { gmlRole } from './gml-names.ts';

/** Recognises where features begin and end. */
export interface FeatureTracker {
  /** Depth of the open feature; 0 without one. */
  readonly depth: number;
  /** The context from the envelope of the collection. */
  readonly context: GmlContext;
  /** @returns whether this is a feature */
  start(xml: XmlReader): boolean;
  /** @returns whether the feature ends */
  end(xml: XmlReader): boolean;
}

/** Schemas call them `gml:featureMember`, `gml:featureMembers`, `wfs:member`, `base:member`, `cityObjectMember` … */
const wrapper = /members?$/i;
const partOfGeometry = /^(?:geometry|point|curve|lineString|polygon|surface|solid)Members?$/;
/** Elements in between if one file holds the answers to several queries (WFS 2.0, 11.3.3). */
const nested = /(?:FeatureCollection|^Tuple)$/;

/** @param rootIsFeature the file is one feature, and no collection */
export function createFeatureTracker(rootIsFeature: boolean): FeatureTracker {
  const wraps: boolean[] = [];
  let depth = 0;
  let context: GmlContext = { srsName: undefined, dimension: undefined };
  return {
    get depth() {
      return depth;
    },
    get context() {
      return context;
    },
    start(xml) {
      if (depth > 0) return false;
      const { local } = xml.name;
      const level = xml.depth;
      const isMember = wraps[level - 1] === true && !nested.test(local) && gmlRole(local) === undefined;
      if (isMember || (rootIsFeature && level === 1)) {
        depth = level;
        return true;
      }
      wraps[level] = level > 1 && wrapper.test(local) && !partOfGeometry.test(local);
      if (gmlRole(local) === 'box') context = contextOf(xml, context);
      return false;
    },
    end(xml) {
      if (depth !== xml.depth) return false;
      depth = 0;
      return true;
    },
  };
}

/** The context inside an element, by its attributes and the outer context. */
export function contextOf(xml: XmlReader, outer: GmlContext): GmlContext {
  const srsName = xml.attribute('srsName');
  const dimension = Number(xml.attribute('srsDimension') ?? NaN);
  return {
    srsName: srsName ?? outer.srsName,
    dimension: dimension >= 2 && dimension <= 4 ? dimension : outer.dimension,
  };
}
