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
  /** By the numbers of names. */
  const known: (NamedElement | undefined)[] = [];
  return (xml) => {
    const { number, local } = xml.name;
    const namespace = xml.namespace() ?? '';
    const last = known[number];
    // a prefix may be declared for another namespace
    if (last?.namespace === namespace) return last.element;
    const element = elementOf(local, namespace);
    if (number < maxNames) {
      while (known.length <= number) known.push(undefined);
      known[number] = { namespace, element };
    }
    return element;
  };
}
