/** The editor's own English phrases, by our text keys. */
const keys = {
  Find: 'find',
  Replace: 'replaceBy',
  next: 'findNext',
  previous: 'findPrevious',
  all: 'findAll',
  'match case': 'matchCase',
  'by word': 'byWord',
  regexp: 'regexp',
  replace: 'replace',
  'replace all': 'replaceAll',
  close: 'close',
  'Go to line': 'goToLine',
  go: 'go',
  Diagnostics: 'diagnostics',
  'No diagnostics': 'noDiagnostics',
  Completions: 'completions',
  'Folded lines': 'foldedLines',
  'Unfolded lines': 'unfoldedLines',
  'folded code': 'foldedCode',
  unfold: 'unfold',
  'Fold line': 'foldLine',
  'Unfold line': 'unfoldLine',
  'current match': 'currentMatch',
  'on line': 'onLine',
} as const;

export const phrasesOf = (t: (key: string) => string): Record<string, string> =>
  Object.fromEntries(Object.entries(keys).map(([phrase, key]) => [phrase, t(`ui.editor.${key}`)]));
