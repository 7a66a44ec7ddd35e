import { UnknownCrs } from './unknown-crs.ts';

/** `KEYWORD["text",1,CHILD[…]]` of WKT 1 or 2. */
export interface WktNode {
  /** In capitals. */
  readonly keyword: string;
  readonly values: readonly (string | number)[];
  readonly children: readonly WktNode[];
}

const maxWktLength = 100_000;
/** A bound CRS in a compound one with all its steps is some ten deep. */
const deepest = 40;
const token = /\s*(?:"((?:[^"]|"")*)"|([^\s",[\]()]+)|([[\](),]))/y;

/** @throws UnknownCrs if it is not well-formed WKT */
export function parseWkt(text: string): WktNode {
  if (text.length > maxWktLength)
    throw new UnknownCrs(`The WKT of the coordinate system is longer than ${maxWktLength} characters.`);
  const reader = { text, position: 0 };
  const root = readNode(reader, next(reader), 0);
  if (text.slice(reader.position).trim() !== '') throw malformed(reader);
  return root;
}

interface Reader {
  readonly text: string;
  position: number;
}

interface Token {
  readonly quoted?: string;
  readonly word?: string;
  readonly mark?: string;
}

function next(reader: Reader): Token {
  token.lastIndex = reader.position;
  const found = token.exec(reader.text);
  if (found === null) throw malformed(reader);
  reader.position = token.lastIndex;
  const [, quoted, word, mark] = found;
  if (quoted !== undefined) return { quoted: quoted.replaceAll('""', '"') };
  return word === undefined ? { mark: mark! } : { word };
}

function readNode(reader: Reader, { word }: Token, depth: number): WktNode {
  const { mark } = next(reader);
  if (word === undefined || (mark !== '[' && mark !== '(') || depth > deepest) throw malformed(reader);
  const values: (string | number)[] = [];
  const children: WktNode[] = [];
  for (;;) {
    const item = next(reader);
    if (item.quoted !== undefined) values.push(item.quoted);
    else if (item.word === undefined) throw malformed(reader);
    else if (isOpening(reader)) children.push(readNode(reader, item, depth + 1));
    else values.push(Number.isFinite(Number(item.word)) ? Number(item.word) : item.word);
    const after = next(reader).mark;
    if (after === ']' || after === ')') return { keyword: word.toUpperCase(), values, children };
    if (after !== ',') throw malformed(reader);
  }
}

function isOpening({ text, position }: Reader): boolean {
  return /^\s*[[(]/.test(text.slice(position, position + 20));
}

function malformed({ text, position }: Reader): UnknownCrs {
  const place = text.slice(Math.max(0, position - 30), position + 10).replaceAll(/\s+/g, ' ');
  return new UnknownCrs(
    `The WKT of the coordinate system is damaged near "${place}". Enter its EPSG code instead.`,
  );
}

export function childOf(node: WktNode, ...keywords: readonly string[]): WktNode | undefined {
  return node.children.find(({ keyword }) => keywords.includes(keyword));
}

/** The first of these at any depth, the node itself included. */
export function findNode(node: WktNode, keywords: readonly string[]): WktNode | undefined {
  if (keywords.includes(node.keyword)) return node;
  for (const child of node.children) {
    const found = findNode(child, keywords);
    if (found !== undefined) return found;
  }
  return undefined;
}

/** The authority and its code, of WKT 1 or WKT 2: `['EPSG', '25832']`. */
export function authorityOf(node: WktNode): readonly [string, string] | undefined {
  const [authority, code] = childOf(node, 'AUTHORITY', 'ID')?.values ?? [];
  return authority === undefined || code === undefined
    ? undefined
    : [String(authority).toUpperCase(), String(code)];
}

export const geographicKeywords = [
  'GEOGCS',
  'GEOGCRS',
  'GEOGRAPHICCRS',
  'GEODCRS',
  'GEODETICCRS',
  'BASEGEOGCRS',
  'BASEGEODCRS',
];
export const projectedKeywords = ['PROJCS', 'PROJCRS', 'PROJECTEDCRS'];
