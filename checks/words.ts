import { parseSync, Visitor } from 'oxc-parser';
import type { GivenUpWord } from './given-up-words.ts';
import { scriptsOf } from './source.ts';

/** The identifiers and sentences of a TypeScript or Vue file. */
export interface Words {
  /** Every identifier, imported and library names included. */
  names: Set<string>;
  /** Every string, and every fixed part of a template. */
  texts: string[];
}

export function wordsOf(path: string, text: string): Words {
  const isVue = path.endsWith('.vue');
  const { program, errors } = parseSync(isVue ? `${path}.ts` : path, isVue ? scriptsOf(text) : text);
  if (errors.length > 0) throw new Error(`${path}: ${errors[0]?.message}`);
  const words: Words = { names: new Set(), texts: [] };
  new Visitor({
    Identifier({ name }) {
      words.names.add(name);
    },
    PrivateIdentifier({ name }) {
      words.names.add(name);
    },
    Literal({ value }) {
      if (typeof value === 'string') words.texts.push(value);
    },
    TemplateElement({ value }) {
      words.texts.push(value.cooked ?? value.raw);
    },
  }).visit(program);
  return words;
}

/** `tellAll` consists of `tell` and `all`, `HTTPServer` of `http` and `server`. */
export function partsOf(name: string): string[] {
  return name
    .split(/[^\p{L}\p{N}]+|(?<=[\p{Ll}\p{N}])(?=\p{Lu})|(?<=\p{Lu})(?=\p{Lu}\p{Ll})/u)
    .filter((part) => part !== '')
    .map((part) => part.toLowerCase());
}

/** The words given up that occur as whole words, in any case. */
export function phrasesIn(text: string, phrases: readonly GivenUpWord[]): GivenUpWord[] {
  return phrases.filter(([phrase]) =>
    new RegExp(`(?<![\\p{L}-])${phrase.replaceAll(' ', '\\s+')}(?!\\p{L})`, 'iu').test(text),
  );
}

/** Markdown without code blocks, code in a line and addresses of links. */
export function proseOf(markdown: string): string {
  return markdown
    .replace(/^ *```.*?^ *```/gms, '')
    .replace(/`[^`]*`/g, '')
    .replace(/\]\([^)]*\)/g, ']');
}
