import type { XmlReader } from '../xml/read-xml.ts';
import { elementOf, type KnownElement } from './element-role.ts';

/** Files may consist of nothing but names. */
const maxNames = 10_000;

/** Looks up the elements of a document; each name is classified once. */
export function createElementLookUp(): (xml: XmlReader) => KnownElement {
  const known = new Map<string, Map<string, KnownElement>>();
  return (xml) => {
    const namespace = xml.namespace() ?? '';
    let ofNamespace = known.get(namespace);
    if (ofNamespace === undefined) {
      ofNamespace = new Map();
      if (known.size < maxNames) known.set(namespace, ofNamespace);
    }
    let element = ofNamespace.get(xml.name.local);
    if (element === undefined) {
      element = elementOf(xml.name.local, namespace);
      if (ofNamespace.size < maxNames) ofNamespace.set(xml.name.local, element);
    }
    return element;
  };
}
