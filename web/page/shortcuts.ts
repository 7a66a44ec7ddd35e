import { onMounted, onUnmounted, shallowRef, watch } from 'vue';

export const isMac = /Mac|iPhone|iPad/.test(navigator.userAgent);
export const commandKey = isMac ? '⌘' : 'Ctrl';

export interface Shortcut {
  /** A single key or a sequence of two: `n`, `/`, `g f`; `mod+k` with the command key. */
  readonly keys: string;
  /** Its description in the user's language. */
  readonly label: string;
  run(): unknown;
}

/** The active shortcuts, newest last; the dialog behind `?` lists them. */
export const shortcuts = shallowRef<readonly Shortcut[]>([]);

/** Adds shortcuts while this component is mounted; they are replaced whenever their dependencies change. */
export function useShortcuts(make: () => readonly Shortcut[]): void {
  let mine: readonly Shortcut[] = [];
  function replace(now: readonly Shortcut[]): void {
    const others = shortcuts.value.filter((one) => !mine.includes(one));
    mine = now;
    shortcuts.value = [...others, ...mine];
  }
  onMounted(() => watch(make, replace, { immediate: true }));
  onUnmounted(() => replace([]));
}

const sequenceMs = 1200;
let first: { key: string; at: number } | undefined;

/** Runs the shortcut of a key, unless the user is typing. */
export function handleKey(event: KeyboardEvent): void {
  if (event.defaultPrevented || event.altKey || event.isComposing) return;
  const key = event.key.length === 1 ? event.key.toLowerCase() : event.key;
  const isModified = event.metaKey || event.ctrlKey;
  if (!isModified && isTyping(event.target)) return;
  const isSecond = first !== undefined && event.timeStamp - first.at < sequenceMs;
  const sequences = isModified ? [`mod+${key}`] : [...(isSecond ? [`${first!.key} ${key}`] : []), key];
  const found = sequences.flatMap((keys) => shortcuts.value.findLast((one) => one.keys === keys) ?? [])[0];
  first = isModified || found ? undefined : { key, at: event.timeStamp };
  if (!found) return;
  event.preventDefault();
  void found.run();
}

function isTyping(target: EventTarget | null): boolean {
  return (
    target instanceof HTMLElement &&
    (target.isContentEditable ||
      target.matches('input, textarea, select, [role=textbox], [role=combobox]') ||
      target.closest('[role=dialog], [role=alertdialog], [role=menu], .cm-editor') !== null)
  );
}
