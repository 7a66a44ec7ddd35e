import type { NoteList } from './notes.ts';

const maxStyles = 50;

/** The first 50 styles of a file, each with notes of its own, which say if there are more. */
export function firstStyles<T>(styles: readonly T[], newNotes: () => NoteList): [T, NoteList][] {
  return styles.slice(0, maxStyles).map((style) => {
    const notes = newNotes();
    if (styles.length > maxStyles)
      notes.add('tooMany', { what: 'styles', limit: maxStyles, count: styles.length });
    return [style, notes];
  });
}
