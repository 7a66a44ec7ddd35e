import type { XmlName } from './xml-name.ts';

/** The elements that are open, and the namespaces they declare. */
export interface XmlScopes {
  readonly depth: number;
  readonly innermost: XmlName | undefined;
  open(name: XmlName): void;
  close(): void;
  /** Declares a prefix for the element that is opened next. */
  declare(prefix: string, uri: string): void;
  /** The namespace of an element of this name here; undefined without one. */
  namespaceOf(name: XmlName): string | undefined;
  /** The tags that open all current elements, except the innermost `inner`, with their namespaces. */
  openTags(inner: number): string;
}

interface Binding {
  readonly prefix: string;
  readonly uri: string;
  readonly depth: number;
}

export function createXmlScopes(): XmlScopes {
  const names: XmlName[] = [];
  const bindings: Binding[] = [];
  let version = 0;
  return {
    get depth() {
      return names.length;
    },
    get innermost() {
      return names[names.length - 1];
    },
    open(name) {
      names.push(name);
    },
    close() {
      const depth = names.length;
      names.pop();
      while (bindings.length > 0 && bindings[bindings.length - 1]!.depth === depth) {
        bindings.pop();
        version++;
      }
    },
    declare(prefix, uri) {
      bindings.push({ prefix, uri, depth: names.length + 1 });
      version++;
    },
    namespaceOf(name) {
      if (name.scope !== version) {
        name.scope = version;
        name.namespace = bindings.findLast(({ prefix }) => prefix === name.prefix)?.uri;
      }
      return name.namespace;
    },
    openTags: (inner) =>
      names
        .slice(0, names.length - inner)
        .map(({ qualified }, i) => {
          const declared = bindings
            .filter(({ depth }) => depth === i + 1)
            .map(({ prefix, uri }) => ` xmlns${prefix && `:${prefix}`}="${escapeAttribute(uri)}"`);
          return `<${qualified}${declared.join('')}>`;
        })
        .join(''),
  };
}

function escapeAttribute(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;');
}
