// Runs in the browser, before start.ts and in the same file: see start-script.ts. The map viewers and their plugins put
// texts of modules and servers into the page as HTML, some of them without a sanitiser or with an old one. This replaces
// the ways by which the DOM takes HTML, attributes and addresses: docs/decisions/0075-a-sanitiser-below-the-map-viewers.md.
import type { Config, DOMPurify } from 'dompurify';

const globals = globalThis as { DOMPurify?: DOMPurify };
const purifier = globals.DOMPurify!;
delete globals.DOMPurify;

const rules = {
  // links of Markdown open another tab
  ADD_ATTR: ['target'],
  FORBID_TAGS: ['form'],
  // otherwise what may stand in a head is lost at the start of a text
  FORCE_BODY: true,
  RETURN_DOM_FRAGMENT: true,
} satisfies Config;

/** An element in which HTML for this parent keeps its meaning; undefined where that is any. */
function wrapperFor(parent: Node | null): 'svg' | 'template' | undefined {
  if (parent instanceof SVGElement && !(parent instanceof SVGForeignObjectElement)) return 'svg';
  const isTable = [HTMLTableElement, HTMLTableSectionElement, HTMLTableRowElement].some(
    (part) => parent instanceof part,
  );
  return isTable || parent instanceof HTMLTemplateElement ? 'template' : undefined;
}

/** The nodes are inserted as they are: text that is parsed a second time, at another place, can change its meaning. */
function sanitise(html: string, parent: Node | null): DocumentFragment {
  const wrapper = wrapperFor(parent);
  if (wrapper === undefined) return purifier.sanitize(html, rules);
  const fragment = purifier.sanitize(`<${wrapper}>${html}</${wrapper}>`, rules);
  const root = fragment.firstElementChild;
  if (root instanceof HTMLTemplateElement) return root.content;
  fragment.replaceChildren(...(root?.childNodes ?? []));
  return fragment;
}

function fill(target: Element | ShadowRoot, html: string): void {
  (target instanceof HTMLTemplateElement ? target.content : target).replaceChildren(sanitise(html, target));
}

/** The content of these elements is text. */
const isTextOnly = (target: object) =>
  target instanceof HTMLStyleElement || target instanceof HTMLTextAreaElement;

/** @param set receives the value as text, and the original setter with the original value */
function replaceSetter<T extends object>(
  prototype: T,
  property: keyof T & string,
  set: (target: T, value: string, setOriginal: () => void) => void,
): void {
  const original = Object.getOwnPropertyDescriptor(prototype, property)!;
  Object.defineProperty(prototype, property, {
    ...original,
    set(this: T, value: unknown) {
      set(this, value === null ? '' : String(value as string), () => original.set!.call(this, value));
    },
  });
}

for (const prototype of [Element.prototype, ShadowRoot.prototype]) {
  replaceSetter<Element | ShadowRoot>(prototype, 'innerHTML', (target, html, setOriginal) => {
    if (!html.includes('<') || isTextOnly(target)) setOriginal();
    else fill(target, html);
  });
  prototype.setHTMLUnsafe = function (this: Element | ShadowRoot, html: unknown) {
    fill(this, String(html));
  };
}

replaceSetter(Element.prototype, 'outerHTML', (element, html) => {
  element.replaceWith(sanitise(html, element.parentNode));
});

Element.prototype.insertAdjacentHTML = function (position, html) {
  const content = (parent: Node | null) => sanitise(String(html), parent);
  const insert = {
    beforebegin: () => this.before(content(this.parentNode)),
    afterbegin: () => this.prepend(content(this)),
    beforeend: () => this.append(content(this)),
    afterend: () => this.after(content(this.parentNode)),
  };
  insert[position.toLowerCase() as InsertPosition]();
};

Range.prototype.createContextualFragment = function (html) {
  return sanitise(String(html), this.startContainer);
};

function runsScript(address: unknown): boolean {
  try {
    return new URL(String(address), document.baseURI).protocol === 'javascript:';
  } catch {
    return false;
  }
}

const addresses = new Set(['action', 'data', 'formaction', 'href', 'src', 'xlink:href']);

function isRefused(name: string, value: unknown): boolean {
  const attribute = name.toLowerCase();
  if (addresses.has(attribute)) return runsScript(value);
  return attribute === 'srcdoc' || /^on[a-z]+$/.test(attribute);
}

// called with the element
// oxlint-disable-next-line typescript/unbound-method
const { setAttribute, setAttributeNS } = Element.prototype;

Element.prototype.setAttribute = function (name, value) {
  if (isRefused(String(name), value)) this.removeAttribute(name);
  else setAttribute.call(this, name, value);
};

Element.prototype.setAttributeNS = function (namespace, name, value) {
  if (isRefused(String(name), value)) this.removeAttribute(name);
  else setAttributeNS.call(this, namespace, name, value);
};

function checkAddress<T extends Element>(prototype: T, property: keyof T & string): void {
  replaceSetter(prototype, property, (element, address, setOriginal) => {
    if (runsScript(address)) element.removeAttribute(property);
    else setOriginal();
  });
}

checkAddress(HTMLAnchorElement.prototype, 'href');
checkAddress(HTMLAreaElement.prototype, 'href');
checkAddress(HTMLIFrameElement.prototype, 'src');
checkAddress(HTMLEmbedElement.prototype, 'src');
checkAddress(HTMLObjectElement.prototype, 'data');
checkAddress(HTMLFormElement.prototype, 'action');
checkAddress(HTMLButtonElement.prototype, 'formAction');
checkAddress(HTMLInputElement.prototype, 'formAction');

replaceSetter(HTMLIFrameElement.prototype, 'srcdoc', (frame) => frame.removeAttribute('srcdoc'));
