import { readFileSync, statSync } from 'node:fs';
import { childrenOf, findElement, readXmlTree, textAt, type XmlElement } from '@platen/formats/xml/xml-tree';
import type { FindSideFile, SideFile } from '../../models/find-side-file.ts';

/** Words by code, of each code list by its number. Plain data. */
export type CodeLists = readonly ReadonlyMap<string, string>[];

const maxBytes = 8 << 20;

/** Reads GML dictionaries, in which codes are names and words are descriptions (OGC 07-036, 15). */
export async function readCodeLists(files: readonly SideFile[]): Promise<CodeLists> {
  const lists: ReadonlyMap<string, string>[] = [];
  for (const { path } of files)
    lists.push(
      statSync(path).size > maxBytes ? new Map() : wordsOf(await readXmlTree(readFileSync(path, 'utf8'))),
    );
  return lists;
}

function wordsOf(dictionary: XmlElement | undefined): Map<string, string> {
  const words = new Map<string, string>();
  const entries = dictionary === undefined ? [] : childrenOf(dictionary, 'dictionaryEntry');
  for (const entry of entries) {
    const definition = findElement(entry, 'Definition');
    const code = textAt(definition, 'name');
    const word = textAt(definition, 'description');
    if (code !== undefined && word !== undefined) words.set(code, word.slice(0, 500));
  }
  return words;
}

/** Turns codes into words, by the lists that are there. */
export function createTranslate(
  lists: CodeLists,
  find: FindSideFile,
  from: string,
): (codeSpace: string, code: string) => string | undefined {
  const known = new Map<string, number | undefined>();
  return (codeSpace, code) => {
    if (!known.has(codeSpace) && known.size < 10_000) known.set(codeSpace, find(codeSpace, from));
    const number = known.get(codeSpace);
    return number === undefined ? undefined : lists[number]?.get(code);
  };
}
