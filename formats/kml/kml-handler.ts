import { createFeature, type VisitFeature } from '../feature/feature.ts';
import { guessValue } from '../xml/guess-value.ts';
import type { NumberCursor } from '../xml/read-numbers.ts';
import type { XmlHandler, XmlReader } from '../xml/read-xml.ts';
import { setProperty } from '../xml/set-property.ts';
import { createKmlGeometry, joinParts } from './kml-geometry.ts';
import { createKmlSchemas } from './kml-schema.ts';
import { createKmlStyleReader } from './kml-style-reader.ts';
import { applyStyle } from './kml-style.ts';

export interface KmlHandler extends XmlHandler {
  readonly features: number;
}

const ownElements = new Set(['name', 'description', 'address', 'phoneNumber']);

/** KML 2.3 (OGC 12-007r2) and 2.2, by local names: files of Google Earth's own namespaces are read as well. */
export function createKmlHandler(visit: VisitFeature, keepsHeights = false): KmlHandler {
  const feature = createFeature(keepsHeights);
  const geometry = createKmlGeometry(feature.geometry);
  const schemas = createKmlSchemas();
  const styles = createKmlStyleReader();
  const cursor: NumberCursor = { bytes: Buffer.alloc(0), at: 0, end: 0 };
  const path: string[] = [];
  /** Names of the folders that are open. */
  const folders: string[] = [];
  let features = 0;
  let placemarkDepth = 0;
  let leaf = '';
  /** Names of the open Data or SimpleData, of its Schema, and of the Schema being declared. */
  let field = '';
  let schema = '';
  let reader!: XmlReader;
  const place = () => ({ feature: features + 1, ...reader.heldPlace() });

  const startPlacemark = (xml: XmlReader): void => {
    xml.hold();
    placemarkDepth = xml.depth;
    geometry.clear();
    styles.begin();
    feature.id = xml.attribute('id');
    feature.properties = {};
    feature.problem = undefined;
    const folder = folders.filter((name) => name !== '').join('/');
    if (folder !== '') feature.properties['folder'] = folder;
  };
  const endPlacemark = (xml: XmlReader): void => {
    placemarkDepth = 0;
    joinParts(feature.geometry);
    applyStyle(styles.current(), feature.geometry.parts, feature.properties);
    if (xml.takeBadText()) feature.problem ??= 'a text is not valid UTF-8: select the encoding of the file';
    reader = xml;
    visit(feature, place);
    features++;
    xml.release();
  };
  const set = (name: string, value: unknown): void => {
    if (!Object.hasOwn(feature.properties, name)) setProperty(feature.properties, name, value);
  };
  const endInPlacemark = (element: string, parent: string | undefined, depth: number): void => {
    if (depth === placemarkDepth + 1 && ownElements.has(element)) set(element, leaf);
    else if (element === 'value' && parent === 'Data') set(field, guessValue(leaf));
    else if (element === 'SimpleData') set(field, schemas.valueOf(schema, field, leaf));
    else if (parent === 'ExtendedData' && leaf !== '') set(element, guessValue(leaf));
    else if (element === 'when' && parent === 'TimeStamp') set('when', leaf);
    else if (parent === 'TimeSpan' && leaf !== '') set(element, leaf);
    else if (element === 'when' && parent === 'Track') {
      set('begin', leaf);
      feature.properties['end'] = leaf;
    } else {
      const problem = geometry.end(element);
      if (problem !== undefined) feature.problem ??= problem;
    }
  };

  return {
    get features() {
      return features;
    },
    start(xml) {
      const element = xml.name.local;
      path.push(element);
      leaf = '';
      if (element === 'Placemark' && placemarkDepth === 0) startPlacemark(xml);
      else if (element === 'Folder') folders.push('');
      else if (element === 'Data' || element === 'SimpleData') field = xml.attribute('name') ?? element;
      else if (element === 'SchemaData') schema = xml.attribute('schemaUrl') ?? '';
      else if (element === 'Schema') schema = xml.attribute('id') ?? xml.attribute('name') ?? '';
      else if (element === 'SimpleField')
        schemas.declare(schema, xml.attribute('name') ?? '', xml.attribute('type') ?? '');
      else if (element === 'Model' && placemarkDepth > 0)
        feature.problem ??= 'its geometry is a 3D Model, which is not supported';
      else if (placemarkDepth > 0) geometry.start(element);
      styles.start(element, xml);
    },
    text(xml) {
      const element = path[path.length - 1]!;
      if (element !== 'coordinates' && element !== 'coord') {
        leaf = xml.text();
        return;
      }
      if (placemarkDepth === 0) return;
      cursor.bytes = xml.bytes;
      cursor.at = xml.textStart;
      cursor.end = xml.textEnd;
      const problem = geometry.text(element, cursor);
      if (problem !== undefined) feature.problem ??= problem;
    },
    end(xml) {
      const element = path.pop()!;
      const parent = path[path.length - 1];
      styles.end(element, parent, leaf);
      if (placemarkDepth === xml.depth) endPlacemark(xml);
      else if (placemarkDepth > 0) endInPlacemark(element, parent, xml.depth);
      else if (element === 'name' && parent === 'Folder') folders[folders.length - 1] = leaf;
      else if (element === 'Folder') folders.pop();
      leaf = '';
    },
  };
}
