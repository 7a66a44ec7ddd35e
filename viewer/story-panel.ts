// Runs in the browser, as a part of start.ts: the panel in which a story is read.
import type { StoryStep } from '@platen/contract/stories';
import { element, icon } from './element.ts';

interface StoryActions {
  /** To a step, chosen by the visitor. */
  readonly go: (index: number) => void;
  /** Plays and pauses. */
  readonly toggle: () => void;
  readonly stop: () => void;
}

interface StoryState {
  readonly index: number;
  readonly isPlaying: boolean;
}

interface PanelApp {
  readonly locale: string;
}

const words = {
  en: {
    story: 'Story',
    step: 'Step',
    previous: 'Back',
    next: 'Next',
    play: 'Play',
    pause: 'Pause',
    open: 'Open the story',
    close: 'Close the story',
  },
  de: {
    story: 'Geschichte',
    step: 'Schritt',
    previous: 'Zurück',
    next: 'Weiter',
    play: 'Abspielen',
    pause: 'Anhalten',
    open: 'Geschichte öffnen',
    close: 'Geschichte schließen',
  },
} as const;

const icons = {
  previous: 'M15 5l-7 7 7 7',
  next: 'M9 5l7 7-7 7',
  play: 'M8 5l11 7-11 7z',
  pause: 'M8 5v14M16 5v14',
  close: 'M6 6l12 12M18 6L6 18',
  story: 'M4 5h6a2 2 0 0 1 2 2v13a2 2 0 0 0-2-2H4zM20 5h-6a2 2 0 0 0-2 2v13a2 2 0 0 1 2-2h6z',
} as const;

const style = `
  #story, #story-open { --ground: #fff; --ink: #10242a; --muted: #4b6068; --line: #d5e1e4; --accent: #0e6b78;
    position: fixed; z-index: 5; left: 12px; bottom: 44px; box-sizing: border-box; color: var(--ink); background: var(--ground);
    border-radius: 10px; box-shadow: 0 2px 14px #10242a33; font: 15px/1.5 var(--platen-font); }
  #story { width: min(360px, calc(100vw - 24px)); max-height: calc(100vh - 150px); display: flex; flex-direction: column; overflow: hidden; }
  #story[hidden], #story-open[hidden] { display: none; }
  #story header, #story footer { display: flex; align-items: center; gap: 4px; padding: 6px 8px; }
  #story header { border-bottom: 1px solid var(--line); }
  #story select { flex: 1; min-width: 0; padding: 6px 4px; border: 0; background: none; color: var(--muted); font: inherit; font-size: 13px;
    text-overflow: ellipsis; cursor: pointer; appearance: auto; }
  #story option { color: #10242a; background: #fff; }
  #story article { flex: 1; overflow-y: auto; padding: 12px 16px; }
  #story h2 { margin: 0 0 8px; font-size: 19px; line-height: 1.3; font-weight: 650; text-wrap: balance; }
  #story img { display: block; width: 100%; max-height: 40vh; margin: 0 0 10px; border-radius: 6px; object-fit: cover; background: var(--line); }
  #story article p { margin: 0 0 10px; white-space: pre-line; overflow-wrap: anywhere; }
  #story footer { justify-content: space-between; border-top: 1px solid var(--line); }
  #story button, #story-open { display: inline-flex; align-items: center; gap: 6px; min-height: 36px; padding: 4px 10px; border: 0;
    background: none; color: var(--accent); font: inherit; font-weight: 550; border-radius: 8px; cursor: pointer; }
  #story-open { background: var(--ground); }
  #story button:disabled { opacity: 0.4; cursor: default; }
  #story button:not(:disabled):hover { background: color-mix(in srgb, var(--accent) 10%, transparent); }
  #story :focus-visible, #story-open:focus-visible { outline: 2px solid var(--accent); outline-offset: -2px; }
  #story svg, #story-open svg { width: 20px; height: 20px; fill: none; stroke: currentColor; stroke-width: 2; stroke-linecap: round; stroke-linejoin: round; }
  #story .done { height: 3px; background: var(--accent); transition: width 0.3s; }
  @media (max-width: 600px) {
    #story { left: 0; bottom: 56px; width: 100vw; max-height: 46vh; border-radius: 12px 12px 0 0; }
    #story-open { bottom: 68px; }
  }
  @media (prefers-color-scheme: dark) {
    #story, #story-open { --ground: #14201f; --ink: #e8f0f1; --muted: #a9bbc0; --line: #31454c; --accent: #5cc0cc; }
  }
  @media (prefers-reduced-motion: reduce) { #story .done { transition: none; } }`;

/** Puts the panel beside the map. @returns what brings it to a step */
export function openStoryPanel(app: PanelApp, steps: readonly StoryStep[], actions: StoryActions) {
  const text = words[app.locale.startsWith('de') ? 'de' : 'en'];
  document.head.append(element('style', { textContent: style }));
  const contents = element('select', { ariaLabel: text.step });
  contents.append(...steps.map((step, index) => new Option(`${index + 1} / ${steps.length}: ${step.title}`)));
  const close = iconButton(icons.close, { ariaLabel: text.close });
  const previous = iconButton(icons.previous, { textContent: text.previous });
  const next = element('button', { type: 'button', textContent: text.next });
  next.append(icon(icons.next));
  const play = iconButton(icons.play, {});
  const article = element('article', { ariaLive: 'polite', tabIndex: 0 });
  const done = element('div', { className: 'done' });
  const panel = element('section', { id: 'story', ariaLabel: text.story });
  const header = element('header', {});
  header.append(contents, close);
  const footer = element('footer', {});
  footer.append(previous, play, next);
  panel.append(done, header, article, footer);
  const open = iconButton(icons.story, { id: 'story-open', textContent: text.story, ariaLabel: text.open });
  open.hidden = true;
  document.body.append(panel, open);

  let state: StoryState = { index: 0, isPlaying: false };
  const step = (by: number) => {
    const index = state.index + by;
    if (index >= 0 && index < steps.length) actions.go(index);
  };
  const setOpen = (isOpen: boolean) => {
    if (!isOpen) actions.stop();
    panel.hidden = !isOpen;
    open.hidden = isOpen;
    (isOpen ? article : open).focus();
  };
  contents.addEventListener('change', () => actions.go(contents.selectedIndex));
  previous.addEventListener('click', () => step(-1));
  next.addEventListener('click', () => step(1));
  play.addEventListener('click', actions.toggle);
  close.addEventListener('click', () => setOpen(false));
  open.addEventListener('click', () => setOpen(true));
  panel.addEventListener('keydown', (event) => {
    // keys of the map, such as those of a flight by keyboard, are not meant
    event.stopPropagation();
    if (event.target === contents) return;
    if (event.key === 'ArrowLeft') step(-1);
    else if (event.key === 'ArrowRight') step(1);
    else if (event.key === 'Escape') setOpen(false);
  });

  return {
    show(now: StoryState): void {
      const hasMoved = now.index !== state.index || article.childElementCount === 0;
      state = now;
      if (hasMoved) article.replaceChildren(...contentOf(steps[now.index]!));
      if (hasMoved) article.scrollTop = 0;
      contents.selectedIndex = now.index;
      done.style.width = `${((now.index + 1) / steps.length) * 100}%`;
      previous.disabled = now.index === 0;
      next.disabled = now.index === steps.length - 1;
      play.hidden = steps.length === 1;
      play.replaceChildren(icon(now.isPlaying ? icons.pause : icons.play));
      play.append(now.isPlaying ? text.pause : text.play);
    },
  };
}

/** Texts are plain, whatever they contain. */
function contentOf({ title, text = '', picture }: StoryStep): HTMLElement[] {
  const paragraphs = text.split(/\n[^\S\n]*\n/).filter((paragraph) => paragraph.trim() !== '');
  return [
    element('h2', { textContent: title }),
    ...pictureOf(picture),
    ...paragraphs.map((paragraph) => element('p', { textContent: paragraph.trim() })),
  ];
}

function pictureOf(picture: StoryStep['picture']): HTMLElement[] {
  if (picture?.url === undefined) return [];
  const image = element('img', { alt: picture.alt ?? '', decoding: 'async' });
  image.addEventListener('error', () => image.remove());
  image.src = picture.url;
  return [image];
}

function iconButton(path: string, properties: Partial<HTMLButtonElement>): HTMLButtonElement {
  const button = element('button', { type: 'button', ...properties });
  button.prepend(icon(path));
  return button;
}
