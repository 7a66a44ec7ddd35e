import {
  startCompletion,
  type Completion,
  type CompletionContext,
  type CompletionResult,
} from '@codemirror/autocomplete';
import type { EditorView } from '@codemirror/view';
import { suggestKeys, suggestValues, type JsonSchema, type Suggestion } from './json-schema.ts';
import { placeAt } from './json-tree.ts';

/** Completes the keys and values that a schema knows at the cursor. */
export function completeBy(schema: () => JsonSchema | undefined, value: () => unknown) {
  return ({ state, pos, explicit }: CompletionContext): CompletionResult | null => {
    const known = schema();
    const place = known && placeAt(state, pos);
    if (!known || !place || pos < place.from) return null;
    const typed = state.sliceDoc(place.from, pos);
    const isClosed = pos >= place.to && /^".*"$/s.test(typed);
    if ((isClosed && !explicit) || (typed === '' && !explicit && !follows(state.sliceDoc(pos - 2, pos))))
      return null;
    const suggest = place.isKey ? suggestKeys : suggestValues;
    const has = state.sliceDoc(place.to, place.to + 20);
    const isKeyOnly = place.isKey && /^\s*:/.test(has);
    const options = suggest(known, place.path, value()).map((one) => optionOf(one, isKeyOnly, place.isKey));
    return options.length === 0
      ? null
      : { from: place.from, to: Math.max(place.to, pos), options, filter: true, validFor: /^"?[\w$.-]*"?$/ };
  };
}

const follows = (before: string) => /[{[,:"]\s?$/.test(before);

function optionOf({ label, json, detail, info }: Suggestion, isKeyOnly: boolean, isKey: boolean): Completion {
  const more = { ...(detail !== undefined && { detail }), ...(info !== undefined && { info }) };
  const type = isKey ? 'property' : 'constant';
  // the typed text may begin with a quotation mark: match the JSON, display the label
  const base = { label: isKey ? JSON.stringify(label) : json, displayLabel: label, type, ...more };
  if (isKeyOnly) return { ...base, apply: JSON.stringify(label) };
  if (!isKey) return { ...base, apply: json };
  return {
    ...base,
    apply: (view: EditorView, _: Completion, from: number, to: number) => putIn(view, json, { from, to }),
  };
}

/** Places the cursor where the value is typed, inside its quotation marks or brackets. */
function putIn(view: EditorView, json: string, { from, to }: { from: number; to: number }): void {
  const at = from + json.length - (/(""|\{\}|\[\])$/.test(json) ? 1 : 0);
  view.dispatch({
    changes: { from, to, insert: json },
    selection: { anchor: at },
    userEvent: 'input.complete',
  });
  startCompletion(view);
}
