import { SourceError } from '../source/source.ts';
import { readXml, type XmlHandler } from './read-xml.ts';
import type { XmlPlace } from './xml-window.ts';

/** An element with its attributes, both by their names without prefix. */
export interface XmlElement {
  readonly name: string;
  readonly attributes: Readonly<Record<string, string>>;
  readonly children: XmlElement[];
  text: string;
}

const maxDepth = 64;

/**
 * Reads a small XML document as a tree of elements. It is lenient, as a DOCTYPE is skipped and unknown references stay as
 * they are, and a document that is cut off or damaged is read up to there. Undefined without an element, or if elements
 * are nested more than 64 deep.
 */
export async function readXmlTree(source: string): Promise<XmlElement | undefined> {
  const { top, isTooDeep } = await readTree(source, (error) => {
    if (!(error instanceof SourceError)) throw error;
  });
  return isTooDeep ? undefined : top.children[0];
}

/**
 * Reads a small XML document that has to be whole as a tree of elements. A DOCTYPE is skipped, and unknown references
 * stay as they are.
 * @throws SourceError brokenXml, truncatedFile; featureTooLarge if elements are nested more than 64 deep
 */
export async function readWholeXmlTree(source: string): Promise<XmlElement> {
  const { top, isTooDeep } = await readTree(source, (error) => {
    throw error;
  });
  if (isTooDeep)
    throw new SourceError('featureTooLarge', `elements are nested more than ${maxDepth} deep`, isTooDeep);
  return top.children[0]!;
}

async function readTree(source: string, onError: (error: unknown) => void) {
  const top: XmlElement = { name: '', attributes: {}, children: [], text: '' };
  const open = [top];
  let isTooDeep: XmlPlace | undefined;
  const handler: XmlHandler = {
    start(xml) {
      if (open.length > maxDepth) isTooDeep ??= xml.tagPlace();
      if (isTooDeep) return xml.skip();
      const element = { name: xml.name.local, attributes: xml.attributes(), children: [], text: '' };
      open.at(-1)!.children.push(element);
      open.push(element);
    },
    end: () => void open.pop(),
    text(xml) {
      open.at(-1)!.text += xml.text();
    },
  };
  const bytes = Buffer.from(source);
  try {
    await readXml(chunksOf(bytes), handler, { maxBytes: bytes.length, isLenient: true });
  } catch (error) {
    onError(error);
  }
  return { top, isTooDeep };
}

async function* chunksOf(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  yield bytes;
}

/** The children of this name. */
export const childrenOf = ({ children }: XmlElement, name: string): XmlElement[] =>
  children.filter((child) => child.name === name);

/** The first element on a path of names. */
export function findElement(element: XmlElement | undefined, ...path: string[]): XmlElement | undefined {
  return path.reduce((at, name) => at?.children.find((child) => child.name === name), element);
}

/** The text of the first element on a path of names; undefined if missing or empty. */
export const textAt = (element: XmlElement | undefined, ...path: string[]): string | undefined =>
  findElement(element, ...path)?.text.trim() || undefined;
