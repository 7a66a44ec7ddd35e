import { Validator, type Schema } from '@cfworker/json-schema';
import { jsonParseLinter } from '@codemirror/lang-json';
import type { Diagnostic } from '@codemirror/lint';
import type { EditorView } from '@codemirror/view';
import { pathOfPointer, rangeOf } from './json-tree.ts';

/** A message about a place in the JSON. */
export interface Marker {
  /** JSON pointer, RFC 6901. */
  readonly pointer: string;
  readonly severity: 'error' | 'warning';
  readonly message: string;
}

const parse = jsonParseLinter();
const maxVisible = 100;

/** Syntax errors first, then messages from the schema and from the page. */
export function diagnose(
  view: EditorView,
  { schema, markers }: { schema: object | undefined; markers: readonly Marker[] },
): Diagnostic[] {
  if (view.state.doc.length === 0) return [];
  const wrong = parse(view);
  if (wrong.length > 0) return wrong;
  const all = [...(schema ? broken(schema, view.state.doc.toString()) : []), ...markers];
  return all.slice(0, maxVisible).map(({ pointer, severity, message }) => {
    const { from, to } = rangeOf(view.state, pathOfPointer(pointer));
    const firstLine = view.state.doc.lineAt(from);
    return { from, to: Math.min(to, firstLine.to), severity, message };
  });
}

/** Only the innermost errors: every object around one of them is invalid because of it. */
function broken(schema: object, text: string): Marker[] {
  const { errors } = new Validator(schema as Schema, '2020-12', false).validate(JSON.parse(text));
  const pointers = errors.map(({ instanceLocation }) => instanceLocation.replace(/^#/, ''));
  return errors.flatMap(({ error }, index) => {
    const pointer = decodeURI(pointers[index]!);
    const isAround = pointers.some(
      (other) => other !== pointers[index] && other.startsWith(`${pointers[index]}/`),
    );
    return isAround ? [] : [{ pointer, severity: 'error' as const, message: error }];
  });
}
