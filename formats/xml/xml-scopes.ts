import type { XmlName } from './xml-name.ts';

interface Binding {
  readonly prefix: string;
  readonly uri: string;
  readonly depth: number;
}

/** The elements that are open, and the namespaces they declare. */
export class XmlScopes {
  depth = 0;
  innermost: XmlName | undefined;
  readonly #names: XmlName[] = [];
  readonly #bindings: Binding[] = [];
  #version = 0;

  open(name: XmlName): void {
    this.#names[this.depth++] = name;
    this.innermost = name;
  }

  close(): void {
    const bindings = this.#bindings;
    while (bindings.length > 0 && bindings[bindings.length - 1]!.depth === this.depth) {
      bindings.pop();
      this.#version++;
    }
    this.innermost = --this.depth > 0 ? this.#names[this.depth - 1] : undefined;
  }

  /** Declares a prefix for the element that is opened next. */
  declare(prefix: string, uri: string): void {
    this.#bindings.push({ prefix, uri, depth: this.depth + 1 });
    this.#version++;
  }

  /** The namespace of an element of this name here; undefined without one. */
  namespaceOf(name: XmlName): string | undefined {
    if (name.scope !== this.#version) {
      name.scope = this.#version;
      name.namespace = this.#bindings.findLast(({ prefix }) => prefix === name.prefix)?.uri;
    }
    return name.namespace;
  }

  /** The tags that open all current elements, except the innermost `inner`, with their namespaces. */
  openTags(inner: number): string {
    return this.#names
      .slice(0, this.depth - inner)
      .map(({ qualified }, i) => {
        const declared = this.#bindings
          .filter(({ depth }) => depth === i + 1)
          .map(({ prefix, uri }) => ` xmlns${prefix && `:${prefix}`}="${escapeAttribute(uri)}"`);
        return `<${qualified}${declared.join('')}>`;
      })
      .join('');
  }
}

function escapeAttribute(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;');
}
