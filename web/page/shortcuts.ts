import { onMounted, onUnmounted, shallowRef, watch } from 'vue';

export const isMac = /Mac|iPhone|iPad/.test(navigator.userAgent);
export const commandKey = isMac ? '⌘' : 'Ctrl';

export interface Shortcut {
  /** A single key, or two after each other: `n`, `/`, `g f`; `mod+k` with the command key. */
  readonly keys: string;
  /** What it does, in the person's language. */
  readonly label: string;
  run(): unknown;
}

/** Those that hold now, the newest last; the dialog of `?` lists them. */
export const shortcuts = shallowRef<readonly Shortcut[]>([]);

/** Shortcuts that hold as long as this component is there; others once what they are made from has changed. */
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

/** Runs the shortcut that a key means, unless somebody is typing. */
export function handleKey(event: KeyboardEvent): void {
  if (event.defaultPrevented || event.altKey || event.isComposing) return;
  const key = event.key.length === 1 ? event.key.toLowerCase() : event.key;
  const isModified = event.metaKey || event.ctrlKey;
  if (!isModified && isTyping(event.target)) return;
  const isSecond = first !== undefined && event.timeStamp - first.at < sequenceMs;
  const wanted = isModified ? [`mod+${key}`] : [...(isSecond ? [`${first!.key} ${key}`] : []), key];
  const found = wanted.flatMap((keys) => shortcuts.value.findLast((one) => one.keys === keys) ?? [])[0];
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
