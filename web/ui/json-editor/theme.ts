import { HighlightStyle, syntaxHighlighting } from '@codemirror/language';
import { EditorView } from '@codemirror/view';
import { tags } from '@lezer/highlight';

/** Uses the tokens of main.css, which follow the theme. */
export const jsonTheme = [
  EditorView.theme({
    '&': { color: 'var(--ink)', backgroundColor: 'var(--surface)', fontSize: '12.5px', height: '100%' },
    '&.cm-focused': { outline: '2px solid var(--vivid)', outlineOffset: '-1px' },
    '.cm-scroller': {
      fontFamily: "ui-monospace, 'SFMono-Regular', 'Cascadia Mono', 'Liberation Mono', monospace",
      lineHeight: '1.55',
    },
    '.cm-content': { caretColor: 'var(--ink)', padding: '8px 0' },
    '.cm-cursor': { borderLeftColor: 'var(--ink)' },
    '.cm-gutters': {
      backgroundColor: 'var(--sunken)',
      color: 'var(--subtle)',
      borderRight: '1px solid var(--line)',
    },
    '.cm-activeLine, .cm-activeLineGutter': {
      backgroundColor: 'color-mix(in oklab, var(--accent) 7%, transparent)',
    },
    '.cm-selectionBackground, &.cm-focused > .cm-scroller > .cm-selectionLayer .cm-selectionBackground': {
      backgroundColor: 'color-mix(in oklab, var(--accent) 26%, transparent)',
    },
    '.cm-matchingBracket, &.cm-focused .cm-matchingBracket': {
      backgroundColor: 'var(--accent-soft)',
      outline: '1px solid var(--accent-line)',
    },
    '.cm-searchMatch': { backgroundColor: 'var(--warn-soft)', outline: '1px solid var(--warn)' },
    '.cm-searchMatch-selected': { backgroundColor: 'var(--signal-soft)' },
    '.cm-panels': { backgroundColor: 'var(--raised)', color: 'var(--ink)', borderColor: 'var(--line)' },
    '.cm-panel input, .cm-panel button': {
      border: '1px solid var(--control)',
      borderRadius: '6px',
      backgroundColor: 'var(--surface)',
      backgroundImage: 'none',
      color: 'var(--ink)',
      padding: '2px 6px',
    },
    '.cm-tooltip': {
      backgroundColor: 'var(--raised)',
      color: 'var(--ink)',
      border: '1px solid var(--line-strong)',
      borderRadius: '8px',
      boxShadow: 'var(--shadow-2)',
    },
    '.cm-tooltip-autocomplete ul li[aria-selected]': {
      backgroundColor: 'var(--accent-soft)',
      color: 'var(--accent-text)',
    },
    '.cm-completionDetail': { color: 'var(--subtle)', fontStyle: 'normal' },
    '.cm-foldPlaceholder': {
      backgroundColor: 'var(--sunken)',
      border: '1px solid var(--line-strong)',
      color: 'var(--muted)',
    },
    '.cm-diagnostic-error': { borderLeftColor: 'var(--bad)' },
    '.cm-diagnostic-warning': { borderLeftColor: 'var(--warn)' },
  }),
  syntaxHighlighting(
    HighlightStyle.define([
      { tag: tags.propertyName, color: 'var(--accent-text)' },
      { tag: tags.string, color: 'var(--ok)' },
      { tag: [tags.number, tags.bool, tags.null], color: 'var(--violet)' },
      { tag: [tags.brace, tags.squareBracket, tags.separator], color: 'var(--subtle)' },
      { tag: tags.invalid, color: 'var(--bad)' },
    ]),
  ),
];
