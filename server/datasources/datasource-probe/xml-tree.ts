/** An element of a document, by its local name: the prefixes of namespaces say nothing here. */
export interface XmlElement {
  readonly name: string;
  readonly attributes: Readonly<Record<string, string>>;
  readonly children: XmlElement[];
  text: string;
}

const deepest = 64;

/**
 * Reads enough of XML for the capabilities of map services: elements, attributes, texts. Documents that break off are read
 * as far as they go. Entities of their own are not resolved, so none can grow.
 */
export function readXml(source: string): XmlElement | undefined {
  const clean = source.replace(/<!--[\s\S]*?(?:-->|$)/g, '').replace(/<[?!](?!\[CDATA)[^>]*>/g, '');
  const top: XmlElement = { name: '', attributes: {}, children: [], text: '' };
  const open = [top];
  for (const [, cdata, tag, text] of clean.matchAll(/<!\[CDATA\[([\s\S]*?)\]\]>|<([^>]*)>|([^<]+)/g)) {
    const parent = open.at(-1)!;
    if (tag === undefined) parent.text += cdata ?? decode(text!);
    else if (tag.startsWith('/')) {
      if (open.length > 1) open.pop();
    } else {
      const [, name = ''] = /^([^\s/]+)/.exec(tag) ?? [];
      const element: XmlElement = {
        name: local(name),
        attributes: attributesOf(tag.slice(name.length)),
        children: [],
        text: '',
      };
      parent.children.push(element);
      if (tag.endsWith('/')) continue;
      if (open.length > deepest) return undefined;
      open.push(element);
    }
  }
  return top.children[0];
}

const local = (name: string) => name.slice(name.indexOf(':') + 1);

function attributesOf(text: string): Record<string, string> {
  const pairs = text.matchAll(/([^\s=/]+)\s*=\s*(?:"([^"]*)"|'([^']*)')/g);
  return Object.fromEntries([...pairs].map(([, name, a, b]) => [local(name!), decode(a ?? b ?? '')]));
}

const entities: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" };

const decode = (text: string) =>
  text.replace(/&(?:#(\d{1,7})|#x([\da-f]{1,6})|(\w{2,4}));/gi, (whole, decimal, hex, name) => {
    if (name !== undefined) return entities[name as string] ?? whole;
    const code = hex === undefined ? Number(decimal) : Number.parseInt(hex as string, 16);
    return code > 0 && code <= 0x10ffff && (code < 0xd800 || code > 0xdfff)
      ? String.fromCodePoint(code)
      : whole;
  });

/** The children of a name. */
export const childrenOf = ({ children }: XmlElement, name: string): XmlElement[] =>
  children.filter((child) => child.name === name);

/** The first element on a path of names. */
export function find(element: XmlElement | undefined, ...path: string[]): XmlElement | undefined {
  return path.reduce((at, name) => at?.children.find((child) => child.name === name), element);
}

/** The text at the end of a path; undefined where there is none, or it is empty. */
export const textAt = (element: XmlElement | undefined, ...path: string[]): string | undefined =>
  find(element, ...path)?.text.trim() || undefined;
