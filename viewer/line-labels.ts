// Runs in the browser, as a part of start.ts: flat maps write the labels of lines along them, if their style says so. The
// engine writes those of points only, and globes draw lines as pictures, in which text along them cannot be.

import type { ZoomApp } from './zoom-styles.ts';

interface Text {
  setPlacement(placement: 'line'): void;
  setTextAlign(align: 'center'): void;
  setOffsetY(pixels: number): void;
}
interface StyleItem {
  readonly properties?: { readonly hasLineLabels?: unknown };
}
type DrawPoint = (this: StyleItem, feature: object) => { getText(): Text | null };
type DrawLine = (this: StyleItem, feature: object) => { setText(text: Text): void };

/** The part of engines 5.0 to 6.3 that is used. */
export interface LineLabelCore {
  readonly DeclarativeStyleItem: {
    readonly prototype: { readonly _stylePoint: DrawPoint; _styleLineString: DrawLine };
  };
}

/** Writes labels along the lines of styles with `hasLineLabels`, as far as they are longer than the label. */
export function writeAlongLines(
  { DeclarativeStyleItem: { prototype } }: LineLabelCore,
  { maps }: ZoomApp,
): void {
  const draw = prototype._styleLineString;
  prototype._styleLineString = function drawWithLabel(this: StyleItem, feature: object) {
    const style = draw.call(this, feature);
    if (this.properties?.hasLineLabels !== true || maps.activeMap?.className !== 'OpenlayersMap')
      return style;
    const text = prototype._stylePoint.call(this, feature).getText();
    if (!text) return style;
    text.setPlacement('line');
    text.setTextAlign('center');
    text.setOffsetY(0); // points have it above their symbol
    style.setText(text);
    return style;
  };
}
