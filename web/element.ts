type Value = string | number | boolean | undefined;
type Child = Node | string | undefined | false;

/**
 * A new HTML element. Attributes that are `undefined` or `false` are left out, `true` is an empty attribute;
 * strings among the children become text, so data never becomes markup.
 */
export function element<Tag extends keyof HTMLElementTagNameMap>(
  tag: Tag,
  attributes: Readonly<Record<string, Value>> = {},
  ...children: Child[]
): HTMLElementTagNameMap[Tag] {
  const node = document.createElement(tag);
  fill(node, attributes, children);
  return node;
}

/** The same for SVG. */
export function svgElement<Tag extends keyof SVGElementTagNameMap>(
  tag: Tag,
  attributes: Readonly<Record<string, Value>> = {},
  ...children: Child[]
): SVGElementTagNameMap[Tag] {
  const node = document.createElementNS('http://www.w3.org/2000/svg', tag);
  fill(node, attributes, children);
  return node;
}

function fill(node: Element, attributes: Readonly<Record<string, Value>>, children: Child[]): void {
  for (const [name, value] of Object.entries(attributes)) {
    if (value !== undefined && value !== false) node.setAttribute(name, value === true ? '' : String(value));
  }
  node.append(...children.filter((child) => child !== undefined && child !== false));
}

/** Says something to screen readers, and shows nothing. */
export function announce(text: string): void {
  const announcer = document.querySelector('#announcer');
  if (announcer) announcer.textContent = text;
}
