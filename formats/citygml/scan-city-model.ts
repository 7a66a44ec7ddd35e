import { isGmlNamespace } from '../gml/gml-names.ts';
import type { XmlHandler, XmlReader } from '../xml/read-xml.ts';
import { count } from '../city-model/city-contents.ts';
import { isGroup } from '../city-object/object-classes.ts';
import { createCityModelScan, type CityModelScan } from './city-model.ts';
import { elementOf, type KnownElement } from './element-role.ts';
import { createPolygonSampler } from './polygon-sampler.ts';
import { moduleOf } from './modules.ts';
import { elementValue } from './object-attributes.ts';

export type VisitAttribute = (name: string, value: string | number | boolean) => void;

const maxTextures = 5000;
const maxThemes = 100;
const maxValueLength = 500;

/** A handler for `readXml` that counts the content of a CityGML file; the counts so far are available at any time. */
export function createCityModelHandler(visitAttribute: VisitAttribute): {
  handler: XmlHandler;
  scan: CityModelScan;
} {
  const scan = createCityModelScan();
  const knownElements = new Map<string, Map<string, KnownElement>>();
  const open: { readonly element: KnownElement; readonly local: string; isLeaf: boolean }[] = [];
  const polygons = createPolygonSampler(scan);
  let genericName: string | undefined;
  let objectDepth = 0;

  const lookUp = (xml: XmlReader): KnownElement => {
    const namespace = xml.namespace() ?? '';
    let ofNamespace = knownElements.get(namespace);
    if (ofNamespace === undefined) knownElements.set(namespace, (ofNamespace = new Map()));
    let element = ofNamespace.get(xml.name.local);
    if (element === undefined) {
      element = elementOf(xml.name.local, namespace);
      if (ofNamespace.size < 10_000) ofNamespace.set(xml.name.local, element);
      if (element.module !== undefined) scan.modules.add(element.module.name);
    }
    if (element.isExtension) count(scan.extensions, namespace);
    return element;
  };

  const startObject = (xml: XmlReader, element: KnownElement): void => {
    const isMember = open.at(-1)?.element.role === 'member';
    if (isMember && element.role !== 'gml' && !isGroup(xml.name.local)) scan.members++;
    if (element.role === 'cityObject' || (isMember && element.isExtension)) {
      count(scan.cityObjects, xml.name.local);
      objectDepth = xml.depth;
    } else if (element.role === 'boundarySurface') count(scan.boundarySurfaces, xml.name.local);
  };

  const handler: XmlHandler = {
    start(xml) {
      const element = lookUp(xml);
      const parent = open.at(-1);
      if (parent !== undefined) parent.isLeaf = false;
      else scan.version = moduleOf(xml.namespace() ?? '')?.version;
      startObject(xml, element);
      const { role } = element;
      if (parent?.element.role === 'lod' && isGmlNamespace(xml.namespace()))
        count(scan.geometryTypes, xml.name.local);
      if (role === 'lod') count(scan.lods, element.lod!);
      else if (role === 'material') scan.materials++;
      else if (role === 'genericAttribute') genericName = xml.attribute('name');
      else if (role === 'envelope' && xml.depth <= 3) scan.srsName ??= xml.attribute('srsName');
      else if (role === 'gml' || role === 'polygon') scan.srsName ??= xml.attribute('srsName');
      polygons.start(xml, role);
      open.push({ element, local: xml.name.local, isLeaf: true });
    },
    text(xml) {
      const current = open.at(-1);
      if (current === undefined || !current.isLeaf) return;
      const { role } = current.element;
      if (role === 'positions') polygons.positions(xml);
      else if (role === 'corner') readCorner(scan, { xml, local: current.local, depth: open.length });
      else if (role === 'imageUri') {
        if (scan.textures.size < maxTextures) scan.textures.add(xml.text().slice(0, maxValueLength));
      } else if (role === 'theme') {
        if (scan.themes.size < maxThemes) scan.themes.add(xml.text().slice(0, 100));
      } else if (role === 'genericValue') {
        if (current.local === 'name') genericName = xml.text();
        else if (genericName !== undefined) visitAttribute(genericName, valueOf('', xml));
      } else if (role === 'other' && open.length === objectDepth + 1) {
        if (open.at(-2)?.element.role === 'cityObject')
          visitAttribute(current.local, valueOf(current.local, xml));
      }
    },
    end(xml) {
      const closed = open.pop()!;
      polygons.end(closed.element.role);
      if (closed.element.role === 'genericAttribute') genericName = undefined;
      if (xml.depth === objectDepth)
        objectDepth = open.findLastIndex(({ element }) => element.role === 'cityObject') + 1;
    },
  };
  return { handler, scan };
}

function valueOf(element: string, xml: XmlReader): string | number | boolean {
  return xml.textEnd - xml.textStart > maxValueLength
    ? xml.text().slice(0, maxValueLength)
    : elementValue(element, xml.text());
}

/** Reads a corner of the model's own envelope, which is two levels below the root. */
function readCorner(
  { envelope }: CityModelScan,
  { xml, local, depth }: { xml: XmlReader; local: string; depth: number },
): void {
  if (depth !== 4 || xml.textEnd - xml.textStart > maxValueLength) return;
  const numbers = xml.text().split(/\s+/).map(Number);
  if (numbers.length < 2 || !numbers.every(Number.isFinite)) return;
  if (local === 'lowerCorner') envelope.lower ??= numbers;
  else envelope.upper ??= numbers;
}
