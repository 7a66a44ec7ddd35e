import {
  Box,
  Building,
  CircleDot,
  Database,
  Grid3x3,
  Image,
  Images,
  Layers,
  Map as MapIcon,
  Mountain,
  ScanEye,
} from '@lucide/vue';
import type { DatasourceType } from '@platen/contract/datasource-types';
import type { Component } from 'vue';
import { typeNames } from './type-names.ts';

const vector = 'bg-signal-soft text-signal';
const picture = 'bg-info-soft text-info';
const solid = 'bg-violet-soft text-violet';

/** How each type is shown; what it is called stands in the words below `datasources.types`. */
export const typeLooks: Readonly<Record<DatasourceType, readonly [icon: Component, look: string]>> = {
  geojson: [CircleDot, vector],
  flatgeobuf: [CircleDot, vector],
  vectortiles: [Grid3x3, vector],
  tileset: [Building, solid],
  tilesetupdate: [Building, solid],
  i3s: [Layers, solid],
  meshinmesh: [Box, solid],
  qmesh: [Mountain, picture],
  cog: [Image, picture],
  tms: [Grid3x3, picture],
  wmts: [MapIcon, picture],
  wms: [MapIcon, picture],
  oblique: [Images, picture],
  panorama: [ScanEye, picture],
  generic: [Database, 'bg-sunken text-muted'],
};

/** Those that a person registers; updates of tilesets are made by jobs. */
export const offeredTypes = typeNames.filter((type) => type !== 'tilesetupdate');

/** Those that an address on the web may lead to. */
export const webTypes = offeredTypes.filter((type) => type !== 'meshinmesh');
