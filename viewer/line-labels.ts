// Runs in the browser, as a part of start.ts: flat maps write the labels of lines along them, if their style says so. The
// engine writes those of points only, and globes draw lines as pictures, in which text along them cannot be.

import type { ZoomApp } from './zoom-styles.ts';

interface Text {
  setPlacement(placement: 'line'): void;
  setTextAlign(align: 'center'): void;
  setOffsetY(pixels: number): void;
  /** Not in the oldest engines, which write one label on a line. */
  setRepeat?(pixels: number): void;
}
interface Style {
  clone(): Style;
  setStroke(stroke: null): void;
  setText(text: Text): void;
  setGeometry(line: object): void;
}
interface Feature {
  getGeometry?(): { getLineStrings?(): readonly object[] } | undefined;
}
interface StyleItem {
  readonly properties?: { readonly hasLineLabels?: unknown };
}
type DrawPoint = (this: StyleItem, feature: Feature) => { getText(): Text | null };
type DrawLine = (this: StyleItem, feature: Feature) => Style | readonly Style[];

/** The part of engines 5.0 to 6.3 that is used. */
export interface LineLabelCore {
  readonly DeclarativeStyleItem: {
    readonly prototype: { readonly _stylePoint: DrawPoint; _styleLineString: DrawLine };
  };
}

/** Pixels from label to label. */
const labelDistance = 200;

/** Writes labels along the lines of styles with `hasLineLabels`, where lines are long and straight enough. */
export function writeAlongLines(
  { DeclarativeStyleItem: { prototype } }: LineLabelCore,
  { maps }: ZoomApp,
): void {
  const draw = prototype._styleLineString;
  prototype._styleLineString = function drawWithLabels(this: StyleItem, feature: Feature) {
    const style = draw.call(this, feature) as Style;
    if (this.properties?.hasLineLabels !== true || maps.activeMap?.className !== 'OpenlayersMap')
      return style;
    const text = prototype._stylePoint.call(this, feature).getText();
    if (!text) return style;
    text.setPlacement('line');
    text.setTextAlign('center');
    text.setOffsetY(0); // points have it above their symbol
    text.setRepeat?.(labelDistance);
    const lines = feature.getGeometry?.()?.getLineStrings?.();
    if (lines === undefined) {
      style.setText(text);
      return style;
    }
    // OpenLayers repeats labels on the first of several lines alone
    const label = style.clone();
    label.setStroke(null);
    label.setText(text);
    const labels = lines.map((line) => {
      const own = label.clone();
      own.setGeometry(line);
      return own;
    });
    return [style, ...labels];
  };
}
