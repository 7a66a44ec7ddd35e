import type { CardDesign } from '@platen/contract/cards';
import { defaultCard } from '@platen/styles/default-card';
import type { AttributeSummary } from '@platen/styles/style-attribute';
import { cardView } from '@platen/viewer/card-view';
import { getAt, itemsOf, setAt, textOf, uniqueName, type Content, type Item } from './content.ts';
import { addDatasource, addItem } from './new-item.ts';

interface AddedDatasource {
  readonly name: string;
  readonly bbox?: readonly number[] | undefined;
  /** What is known of its features. */
  readonly attributes: readonly AttributeSummary[];
}

/** Adds the layers of a datasource, the last of which shows a card on click, if the attributes of its features are known. */
export function addDatasourceWithCard(
  content: Content,
  layers: readonly Item[],
  { attributes, ...datasource }: AddedDatasource,
): Content {
  const added = addDatasource(content, layers, datasource);
  const last = itemsOf(added, 'layers').length - 1;
  const design = defaultCard(attributes);
  if (design.rows.length === 0 || getAt(added, ['layers', last, ...featureInfo]) !== undefined) return added;
  return addCard(added, last, design);
}

const featureInfo = ['properties', 'featureInfo'];

/** Adds a card to the module, which the layer at an index shows from now on. */
export function addCard(content: Content, layerIndex: number, design: CardDesign): Content {
  const layer = itemsOf(content, 'layers')[layerIndex]!;
  const taken = itemsOf(content, 'featureInfo').map(({ name }) => name);
  const name = uniqueName(textOf(layer['name']) ?? 'card', taken);
  const added = addItem(content, 'featureInfo', { ...cardView(design), name });
  return setAt(added, ['layers', layerIndex, ...featureInfo], name) as Content;
}

/** Names of the layers that show a view. */
export const layersOfView = (content: Content, view: string): string[] =>
  itemsOf(content, 'layers')
    .filter(({ properties }) => (properties as { featureInfo?: unknown } | undefined)?.featureInfo === view)
    .map(({ name }) => String(name));
