import { ensureSyntaxTree, syntaxTree } from '@codemirror/language';
import type { EditorState } from '@codemirror/state';
import type { JsonPath } from './json-schema.ts';

// the tree's own node type, without a dependency on the package that has it
type Node = ReturnType<ReturnType<typeof syntaxTree>['resolveInner']>;

const values = new Set(['Object', 'Array', 'String', 'Number', 'True', 'False', 'Null']);
const named = new Set([...values, 'Property', 'PropertyName']);
const parseMs = 200;

const isValue = (node: Node) => values.has(node.name) || node.type.isError;

function keyOf(property: Node, state: EditorState): string | undefined {
  const name = property.getChild('PropertyName');
  if (!name) return undefined;
  try {
    return JSON.parse(state.sliceDoc(name.from, name.to)) as string;
  } catch {
    return undefined;
  }
}

export interface Place {
  /** The path of the value at the cursor; for a key, of its object. */
  readonly path: JsonPath;
  readonly isKey: boolean;
  /** The start of the text typed so far. */
  readonly from: number;
  readonly to: number;
}

/** The place of a position in the JSON, and whether a key or a value belongs there; undefined between two values. */
export function placeAt(state: EditorState, position: number): Place | undefined {
  const tree = ensureSyntaxTree(state, position, parseMs) ?? syntaxTree(state);
  let node: Node | null = tree.resolveInner(position, -1);
  // brackets and invalid text belong to the node around them
  while (node && !named.has(node.name)) node = node.parent;
  if (!node) return undefined;
  if (node.name === 'PropertyName') {
    const owner = node.parent?.parent;
    return owner ? { path: pathOf(owner, state), isKey: true, from: node.from, to: node.to } : undefined;
  }
  if (node.name === 'String' || node.name === 'Number' || node.name === 'True' || node.name === 'False') {
    return { path: pathOf(node, state), isKey: false, from: node.from, to: node.to };
  }
  const before = state.sliceDoc(Math.max(0, position - 200), position).trimEnd();
  const word = /[\w$.-]*$/.exec(state.sliceDoc(Math.max(0, position - 100), position))![0];
  const here = { from: position - word.length, to: position };
  const lead = before.slice(0, before.length - (word && before.endsWith(word) ? word.length : 0)).trimEnd();
  if (node.name === 'Property') {
    return lead.endsWith(':') ? { path: pathOf(node, state), isKey: false, ...here } : undefined;
  }
  if (node.name === 'Object') {
    if (lead.endsWith(':')) {
      const property = node.lastChild?.name === 'Property' ? node.lastChild : node.childBefore(position);
      return property ? { path: pathOf(property, state), isKey: false, ...here } : undefined;
    }
    return /[{,]$/.test(lead) ? { path: pathOf(node, state), isKey: true, ...here } : undefined;
  }
  if (node.name === 'Array' && /[[,]$/.test(lead)) {
    const at = childrenOf(node).filter(({ type, to }) => !type.isError && to <= position).length;
    return { path: [...pathOf(node, state), at], isKey: false, ...here };
  }
  return undefined;
}

/** The steps from the root to a value or property. */
function pathOf(node: Node, state: EditorState): JsonPath {
  const path: (string | number)[] = [];
  for (let at: Node | null = node; at; at = at.parent) {
    if (at.name === 'Property') path.unshift(keyOf(at, state) ?? '');
    else if (at.parent?.name === 'Array') {
      const from = at.from;
      path.unshift(childrenOf(at.parent).findIndex((child) => child.from === from));
    }
  }
  return path;
}

function childrenOf(node: Node): Node[] {
  const found: Node[] = [];
  for (let child = node.firstChild; child; child = child.nextSibling) if (isValue(child)) found.push(child);
  return found;
}

/** The range of the value at a path; if it is missing, of the nearest value around it. */
export function rangeOf(state: EditorState, path: JsonPath): { from: number; to: number } {
  const tree = ensureSyntaxTree(state, state.doc.length, parseMs) ?? syntaxTree(state);
  let node: Node | undefined = childrenOf(tree.topNode)[0];
  for (const step of path) {
    if (!node) break;
    const next: Node | undefined =
      typeof step === 'number' || node.name === 'Array'
        ? childrenOf(node)[Number(step)]
        : node.getChildren('Property').find((property) => keyOf(property, state) === step);
    if (!next) break;
    node = next.name === 'Property' ? (childrenOf(next).at(-1) ?? next) : next;
  }
  return node ? { from: node.from, to: node.to } : { from: 0, to: 0 };
}

/** Parses a JSON pointer (RFC 6901). */
export const pathOfPointer = (pointer: string): string[] =>
  pointer === ''
    ? []
    : pointer
        .slice(1)
        .split('/')
        .map((part) => part.replaceAll('~1', '/').replaceAll('~0', '~'));
