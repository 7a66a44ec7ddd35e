// Runs in the browser, as a part of start.ts: what styles by attributes say and the engine does not draw.

import { keepSymbols, type SymbolCore } from './flat-symbols.ts';
import { drawHatches, repairPatterns, type HatchCore, type PatternCesium } from './hatches.ts';
import { placeLabels, type PlacementCore } from './label-placement.ts';
import { drawCasings, type CasingCore } from './line-casings.ts';
import { writeAlongLines, type LineLabelCore } from './line-labels.ts';
import { drawLinesLast, type LineOrderCesium } from './line-order.ts';
import { replaceColours, type ReplacingCesium } from './replace-colours.ts';
import { labelShapes, type ShapeLabelApp, type ShapeLabelCore } from './shape-labels.ts';
import { styleByZoom, type ZoomCore } from './zoom-styles.ts';

export type { ShapeLabelApp as StyleApp } from './shape-labels.ts';

/** The part of engines 5.0 to 6.3 that is used. */
export type StyleCore = CasingCore &
  HatchCore &
  LineLabelCore &
  PlacementCore &
  ShapeLabelCore &
  SymbolCore &
  ZoomCore;

export type StyleCesium = PatternCesium & LineOrderCesium & ReplacingCesium;

/** Before the first style is made. */
export function improveStyles(core: StyleCore, cesium: StyleCesium, app: ShapeLabelApp): void {
  writeAlongLines(core, app);
  styleByZoom(core, app); // before casings, which are as wide as their lines and a little more
  drawCasings(core);
  repairPatterns(cesium);
  drawHatches(core);
  drawLinesLast(cesium);
  replaceColours(cesium);
  keepSymbols(core);
  placeLabels(core, app);
  labelShapes(core, app);
}
