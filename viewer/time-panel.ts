// Runs in the browser, as a part of start.ts: the bar with which visitors choose a time.
import { element, icon } from './element.ts';
import { periodText, type Period } from './time-axis.ts';

interface TimeActions {
  /** Index of the first period that is shown. */
  readonly start: number;
  /** undefined: all times. */
  readonly show: (period: Period | undefined) => void;
}

const words = {
  en: { time: 'Time', play: 'Play', pause: 'Pause', all: 'All times' },
  de: { time: 'Zeit', play: 'Abspielen', pause: 'Anhalten', all: 'Alle Zeiten' },
} as const;

const style = `
  #time { --ground: #fff; --ink: #10242a; --accent: #0e6b78; position: fixed; z-index: 4; left: 50%; bottom: 44px; transform: translateX(-50%);
    box-sizing: border-box; width: min(560px, calc(100vw - 24px)); display: flex; flex-wrap: wrap; align-items: center; gap: 4px 12px; padding: 8px 14px;
    color: var(--ink); background: var(--ground); border-radius: 10px; box-shadow: 0 2px 14px #10242a33;
    font: 14px/1.4 var(--platen-font); }
  #time output { min-width: 8ch; font-weight: 650; font-variant-numeric: tabular-nums; }
  #time input[type=range] { flex: 1 1 160px; min-width: 0; accent-color: var(--accent); }
  #time button { display: grid; place-items: center; width: 34px; height: 34px; padding: 0; border: 0; border-radius: 50%; background: var(--accent); color: var(--ground); cursor: pointer; }
  #time svg { width: 18px; height: 18px; fill: currentColor; }
  #time label { display: inline-flex; align-items: center; gap: 6px; }
  #time label input { accent-color: var(--accent); }
  #time :focus-visible { outline: 2px solid var(--accent); outline-offset: 2px; }
  #story:not([hidden]) ~ #time { left: auto; right: 84px; transform: none; width: min(560px, calc(100vw - 480px)); }
  @media (max-width: 900px) { #time, #story:not([hidden]) ~ #time { left: 0; right: 0; bottom: 56px; transform: none; width: 100vw; border-radius: 0; }
    #time ~ #story, #story:has(~ #time) { bottom: 148px; } }
  @media (prefers-color-scheme: dark) { #time { --ground: #14201f; --ink: #e8f0f1; --accent: #5cc0cc; } }`;

const paths = { play: 'M8 5l11 7-11 7z', pause: 'M7 5h4v14H7zM13 5h4v14h-4z' } as const;
/** All of it takes half a minute, a step no less than a quarter of a second. */
const wholeMs = 30_000;
const [minStepMs, maxStepMs] = [250, 1500];

/** Puts the bar over the lower edge of the map, and shows the first period. @returns removes it, and returns the chosen period */
export function openTimePanel(
  { locale }: { readonly locale: string },
  periods: readonly Period[],
  actions: TimeActions,
): () => Period | undefined {
  const text = words[locale.startsWith('de') ? 'de' : 'en'];
  const look = element('style', { textContent: style });
  document.head.append(look);
  const panel = element('section', { id: 'time', ariaLabel: text.time });
  const play = element('button', { type: 'button' });
  const range = element('input', { type: 'range', max: String(periods.length - 1), ariaLabel: text.time });
  const shown = element('output', {});
  const all = element('input', { type: 'checkbox' });
  const label = element('label', {});
  label.append(all, text.all);
  panel.append(play, range, shown, label);
  document.body.append(panel);

  let timer: ReturnType<typeof setInterval> | undefined;
  let isWaiting = false;
  const chosen = (): Period | undefined => (all.checked ? undefined : periods[range.valueAsNumber]);
  const draw = (): void => {
    isWaiting = false;
    if (panel.isConnected) actions.show(chosen());
  };
  const show = (index: number): void => {
    range.value = String(index);
    const name = periodText(periods[index]!, locale);
    shown.textContent = name;
    range.setAttribute('aria-valuetext', name);
    // as often as the screen can show it
    if (!isWaiting) requestAnimationFrame(draw);
    isWaiting = true;
  };
  const setPlaying = (isPlaying: boolean): void => {
    clearInterval(timer);
    timer = isPlaying
      ? setInterval(step, Math.min(maxStepMs, Math.max(minStepMs, wholeMs / periods.length)))
      : undefined;
    play.ariaLabel = isPlaying ? text.pause : text.play;
    play.replaceChildren(icon(paths[isPlaying ? 'pause' : 'play']));
  };
  const step = (): void => {
    const next = range.valueAsNumber + 1;
    if (next < periods.length) show(next);
    if (next >= periods.length - 1) setPlaying(false);
  };
  const choose = (index: number): void => {
    all.checked = false;
    show(index);
  };
  play.addEventListener('click', () => {
    const isAtEnd = range.valueAsNumber === periods.length - 1;
    if (timer === undefined) choose(isAtEnd ? 0 : range.valueAsNumber);
    setPlaying(timer === undefined);
  });
  range.addEventListener('input', () => {
    setPlaying(false);
    choose(range.valueAsNumber);
  });
  all.addEventListener('change', () => {
    setPlaying(false);
    show(range.valueAsNumber);
  });
  // keys of the map are not meant
  panel.addEventListener('keydown', (event) => event.stopPropagation());
  setPlaying(false);
  show(actions.start);
  return () => {
    setPlaying(false);
    panel.remove();
    look.remove();
    return chosen();
  };
}
