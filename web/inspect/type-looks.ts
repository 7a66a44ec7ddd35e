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

/** Icon and colours of each type; its name is in the texts under `datasources.types`. */
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

/** Types that a user can register; updates of tilesets are created by jobs. */
export const offeredTypes = typeNames.filter((type) => type !== 'tilesetupdate');

/** Types that a web address can lead to. */
export const webTypes = offeredTypes.filter((type) => type !== 'meshinmesh');
