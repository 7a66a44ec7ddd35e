import {
  Combine,
  Eye,
  Globe,
  Info,
  Languages,
  Layers,
  LayoutTemplate,
  ListTree,
  Palette,
  Plane,
  Plug,
  ScanEye,
  Scissors,
  Tags,
  EyeOff,
  Box,
} from '@lucide/vue';
import type { Component } from 'vue';
import { textOf, type Item } from '../document/content.ts';
import type { moduleItemLists } from '../fields/module-schema.ts';

export type ListName = (typeof moduleItemLists)[number];

/** In the order of the pane; only the first four start open. */
export const lists: readonly { readonly name: ListName; readonly icon: Component }[] = [
  { name: 'contentTree', icon: ListTree },
  { name: 'layers', icon: Layers },
  { name: 'viewpoints', icon: ScanEye },
  { name: 'styles', icon: Palette },
  { name: 'maps', icon: Globe },
  { name: 'uiConfig', icon: LayoutTemplate },
  { name: 'featureInfo', icon: Info },
  { name: 'plugins', icon: Plug },
  { name: 'i18n', icon: Languages },
  { name: 'obliqueCollections', icon: Eye },
  { name: 'flights', icon: Plane },
  { name: 'clippingPolygons', icon: Scissors },
  { name: 'vectorClusterGroups', icon: Combine },
  { name: 'hiddenObjects', icon: EyeOff },
  { name: 'categories', icon: Tags },
];

export const iconOf = (list: string): Component => lists.find(({ name }) => name === list)?.icon ?? Box;

/** An item's label in its list. */
export function labelOf(list: string, item: Item): string {
  const { properties, name, id, title } = item;
  const ofProperties = (properties as Item | undefined | null)?.['title'];
  const shown = list === 'contentTree' ? title : list === 'layers' ? ofProperties : undefined;
  return textOf(shown) || textOf(name) || (typeof id === 'number' ? String(id) : textOf(id)) || '–';
}
