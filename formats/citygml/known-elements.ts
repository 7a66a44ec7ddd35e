import type { XmlName } from '../xml/xml-name.ts';
import type { XmlReader } from '../xml/read-xml.ts';
import { elementOf, type KnownElement } from './element-role.ts';

/** Files may consist of nothing but names. */
const maxNames = 10_000;

interface NamedElement {
  readonly namespace: string;
  readonly element: KnownElement;
}

/** Looks up the elements of a document; each name is classified once. */
export function createElementLookUp(): (xml: XmlReader) => KnownElement {
  const known = new Map<XmlName, NamedElement>();
  return (xml) => {
    const { name } = xml;
    const namespace = xml.namespace() ?? '';
    const last = known.get(name);
    // a prefix may be declared for another namespace
    if (last?.namespace === namespace) return last.element;
    const element = elementOf(name.local, namespace);
    if (known.size < maxNames || last !== undefined) known.set(name, { namespace, element });
    return element;
  };
}
