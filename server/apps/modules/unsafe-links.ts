import type { Reports } from './findings.ts';
import { escapePointer } from '../../base/pointer.ts';

type Path = readonly string[];

/** Keys whose texts people read; they are no links, whatever they begin with. */
const textKeys = new Set(['name', 'title', 'subtitle', 'description', 'tooltip', 'provider']);
/** The map viewer loads plugins from the registry only, whatever their entry says. */
const pluginEntry = 'entry';
/** Keys of links that people follow, rather than of data or pictures. */
const followedKeys = new Set(['infoUrl', 'href', 'link']);
/** Documents of these types can contain scripts. */
const scriptingData = /^data:(?:text\/html|text\/xml|application\/xhtml\+xml|application\/xml)\b/;
const webAddress = /^https?:\/\//;
/** In HTML or Markdown: the value of an attribute, or the target of a link. */
const scriptInText = /[("'=<] {0,8}(?:java|vb)script:/;

/** Reports links that run a script when they are followed: the page of a map blocks them, so they work in no app. */
export function checkLinks(content: Readonly<Record<string, unknown>>, { error }: Reports): void {
  for (const path of unsafeLinks(content)) {
    const pointer = path.map((part) => `/${escapePointer(part)}`).join('');
    error(
      pointer,
      'unsafeLink',
      'A link must not run a script. Enter an address such as https://example.org.',
    );
  }
}

/** Without the links that run a script, which modules from before this rule may have. The same object if there is none. */
export function withoutUnsafeLinks<T extends object>(module: T): T {
  const paths = unsafeLinks(module);
  if (paths.length === 0) return module;
  const copy = structuredClone(module);
  for (const path of paths) {
    let parent: unknown = copy;
    for (const part of path.slice(0, -1)) parent = (parent as Record<string, unknown>)[part];
    (parent as Record<string, unknown>)[path.at(-1)!] = '';
  }
  return copy;
}

function unsafeLinks(content: object): Path[] {
  const found: Path[] = [];
  const path: string[] = [];
  const walk = (container: object) => {
    const listKey = Array.isArray(container) ? (path.at(-1) ?? '') : undefined;
    for (const [key, item] of Object.entries(container) as [string, unknown][]) {
      path.push(key);
      if (typeof item === 'string') {
        if (isUnsafe(item, listKey ?? key, path[0]!)) found.push([...path]);
      } else if (typeof item === 'object' && item !== null) walk(item);
      path.pop();
    }
  };
  walk(content);
  return found;
}

/** @param key of the text, or of the array that it is in @param section of the module that it is in */
function isUnsafe(text: string, key: string, section: string): boolean {
  const isTemplate = key === 'template';
  if (!text.includes(':') || (!isTemplate && webAddress.test(text))) return false;
  // browsers ignore tabs and line ends within an address, and control characters before it
  const address = text.replace(/[\t\n\r]/g, '').toLowerCase();
  if (isTemplate && scriptInText.test(address)) return true;
  if (textKeys.has(key) || (section === 'plugins' && key === pluginEntry)) return false;
  const start = address.slice(0, 10_000).replace(/^[\0-\x20]+/, '');
  if (start.startsWith('javascript:') || start.startsWith('vbscript:')) return true;
  if (followedKeys.has(key)) return /^(?:data|file):/.test(start);
  return scriptingData.test(start);
}
