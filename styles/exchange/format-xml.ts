import { escapeXml } from '@platen/viewer/escape-xml';

/** An element to be written. Its content is a text or further elements; false and undefined are passed over. */
export interface XmlNode {
  readonly name: string;
  readonly attributes: Readonly<Record<string, string | number>>;
  readonly content: string | readonly XmlNode[];
}
type Part = XmlNode | readonly XmlNode[] | false | undefined;

export function element(
  name: string,
  attributes: XmlNode['attributes'] = {},
  ...content: readonly Part[]
): XmlNode {
  return { name, attributes, content: content.flatMap((part) => part || []) };
}

export const textElement = (
  name: string,
  text: string | number,
  attributes: XmlNode['attributes'] = {},
): XmlNode => ({ name, attributes, content: String(text) });

/** A document of the element, indented. */
export const formatXml = (root: XmlNode, head = '<?xml version="1.0" encoding="UTF-8"?>'): string =>
  `${head}\n${format(root, '')}\n`;

function format({ name, attributes, content }: XmlNode, indent: string): string {
  const start = `${indent}<${name}${Object.entries(attributes)
    .map(([key, value]) => ` ${key}="${escapeXml(String(value))}"`)
    .join('')}`;
  if (content.length === 0) return `${start}/>`;
  if (typeof content === 'string') return `${start}>${escapeXml(content)}</${name}>`;
  return `${start}>\n${content.map((child) => format(child, `${indent}  `)).join('\n')}\n${indent}</${name}>`;
}
