// Runs in the browser. The page shows cards as they were designed, on all engines: numbers and dates as the language of
// the map writes them, no rows without a value, links and pictures only of addresses that are safe to follow.

import type { CardDesign } from '@platen/contract/cards';
import { cardContent, type CardContent, type CardEntry } from './card-content.ts';
import { cardView } from './card-view.ts';

type Json = Readonly<Record<string, unknown>>;

/** What the map viewer passes to the component of a view. */
interface Properties extends Json {
  readonly layerName: string;
  readonly layerProperties?: Json;
}

interface FeatureInfo {
  readonly feature: Feature;
}

interface Feature {
  getAttributes?(): Json;
  getProperty?(name: string): unknown;
}

interface WindowOptions {
  state: { headerTitle?: unknown; classes?: string[] };
  props: Properties;
}

/** A feature info view of the engine. */
interface View {
  readonly name: string;
  readonly properties?: Json;
  readonly constructor: unknown;
  toJSON(): object;
  _getAttributesFromFeature?(feature: Feature): Json;
  getProperties(info: FeatureInfo, layer: object): Properties;
  getWindowComponentOptions(app: object, info: FeatureInfo, layer: object): WindowOptions;
}

export interface CardsApp {
  readonly locale: string;
  readonly featureInfo: {
    readonly added: { addEventListener(listener: (view: View) => void): unknown };
  };
}

/** Shows cards in an app whose modules are added later. */
export function showCards(app: CardsApp): void {
  addStyles();
  app.featureInfo.added.addEventListener((view) => {
    const design = designOf(view);
    if (design !== undefined) showCard(app, view, design);
  });
}

/** Of views whose options are still those that the design makes: others show what somebody has entered instead. */
function designOf(view: View): CardDesign | undefined {
  const { name, properties, constructor } = view;
  const design = properties?.['card'] as CardDesign | undefined;
  if (typeof design !== 'object' || design === null) return undefined;
  try {
    const again = new (constructor as new (options: object) => View)(cardView(design, { name, properties }));
    return JSON.stringify(again.toJSON()) === JSON.stringify(view.toJSON()) ? design : undefined;
  } catch {
    return undefined; // what other clients have written there may be anything
  }
}

function showCard(app: CardsApp, view: View, design: CardDesign): void {
  const getProperties = view.getProperties.bind(view);
  const getWindowComponentOptions = view.getWindowComponentOptions.bind(view);
  const contentOf = ({ feature }: FeatureInfo) =>
    cardContent(design, attributesOf(view, feature), app.locale);
  view.getProperties = (info, layer) => {
    const properties = getProperties(info, layer);
    return { ...properties, ...propertiesOf(contentOf(info), properties) };
  };
  view.getWindowComponentOptions = (ui, info, layer) => {
    const options = getWindowComponentOptions(ui, info, layer);
    const { title } = contentOf(info);
    const { state, props } = options;
    const isBalloon = design.place === 'balloon';
    options.state = {
      ...state,
      classes: [...(state.classes ?? []), 'platen-card'],
      ...(!isBalloon && { headerTitle: title ?? titleOf(props) }),
    };
    return options;
  };
}

function titleOf({ layerProperties, layerName }: Properties): string {
  const title = layerProperties?.['title'];
  return typeof title === 'string' && title !== '' ? title : layerName;
}

function attributesOf(view: View, feature: Feature): Json {
  const all =
    view._getAttributesFromFeature?.(feature) ??
    feature.getAttributes?.() ??
    feature.getProperty?.('attributes');
  return typeof all === 'object' && all !== null ? (all as Json) : {};
}

function propertiesOf({ title, subtitle, entries }: CardContent, properties: Properties): Json {
  const keys = keysOf(entries);
  return {
    balloonTitle: title ?? titleOf(properties),
    balloonSubtitle: subtitle ?? '',
    attributes: Object.fromEntries(entries.map(({ text }, i) => [keys[i]!, text])),
    tags: Object.fromEntries(entries.flatMap((entry, i) => tagOf(entry).map((tag) => [keys[i]!, tag]))),
  };
}

/** The titles, made different. Whole numbers would come before all others. */
function keysOf(entries: readonly CardEntry[]): string[] {
  const keys = new Set<string>();
  for (const { title } of entries) {
    let name = /^\d+$/.test(title) ? `${title}\u200b` : title;
    while (keys.has(name)) name += '\u200b';
    keys.add(name);
  }
  return [...keys];
}

function tagOf({ title, href, src }: CardEntry): Json[] {
  if (src !== undefined) return [{ tag: 'img', src, alt: title, loading: 'lazy' }];
  if (href === undefined) return [];
  return [{ tag: 'a', href, target: '_blank', rel: 'noopener noreferrer' }];
}

/** The engine cuts values off after a line. Texts run in the direction of their script. */
function addStyles(): void {
  const style = document.createElement('style');
  style.textContent = `
.platen-card .v-list-item__content { overflow: visible; }
.platen-card .v-list-item-title, .platen-card .v-list-item-subtitle, .platen-card .v-list-item__title,
.platen-card .v-list-item__subtitle, .platen-card .vcs-table-cell > * {
  display: block; overflow: visible; max-height: none; -webkit-line-clamp: none; white-space: pre-line;
  overflow-wrap: anywhere; unicode-bidi: plaintext; text-align: start; line-height: 1.4; }
.platen-card h3 { font-size: 1.15em; line-height: 1.3; white-space: pre-line; }
.platen-card .v-list .v-list-item { min-height: 0; padding-block: 3px; }
.platen-card .v-list .v-list-item-title, .platen-card .v-list .v-list-item__title { font-size: 0.85em; font-weight: 400; opacity: 0.72; }
.platen-card .v-list .v-list-item-subtitle, .platen-card .v-list .v-list-item__subtitle { font-size: 1em; opacity: 1; }
.platen-card a.v-list-item-subtitle, .platen-card td a { color: rgb(var(--v-theme-primary)); text-decoration: underline; }
.platen-card img { display: block; width: 100%; max-height: 220px; margin-top: 2px; object-fit: cover; border-radius: 4px; }
.platen-card.balloon { max-width: min(360px, 100vw); }
.platen-card.balloon .overflow-y-auto { max-height: min(320px, 45vh); }
.platen-card thead { display: none; }
.platen-card td { height: auto !important; padding-block: 6px !important; vertical-align: top; }
.platen-card td:first-child { opacity: 0.72; }`;
  document.head.append(style);
}
