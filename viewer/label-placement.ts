// Runs in the browser, as a part of start.ts: labels of points are beside their symbol as their style says. The engine writes
// all of them above the point, to the right.

interface Text {
  setTextAlign(align: 'left' | 'center' | 'right'): void;
  setTextBaseline(baseline: 'top' | 'middle' | 'bottom'): void;
  setOffsetX(pixels: number): void;
  setOffsetY(pixels: number): void;
}
interface Image {
  /** Unknown while a picture is loaded. */
  getSize(): readonly number[] | null;
  getScaleArray(): readonly number[];
}
interface Style {
  getText(): Text | null;
  getImage(): Image | null;
}
/** As in `LabelRule` of contract/map-styles.ts. */
type Placement = 'above' | 'below' | 'left' | 'right' | 'centre';
interface StyleItem {
  readonly properties?: {
    readonly mapStyle?: { readonly style?: { readonly label?: { readonly placement?: Placement } } };
  };
}
type DrawPoint = (this: StyleItem, feature: object) => Style;

/** The part of engines 5.0 to 6.3 that is used. */
export interface PlacementCore {
  readonly DeclarativeStyleItem: { readonly prototype: { _stylePoint: DrawPoint } };
}
export interface PlacementApp {
  readonly maps: { readonly activeMap?: { readonly className: string } | null };
}

/** Between a symbol and its label, in pixels. */
const gap = 3;
/** Of a marker; see styles/marker.ts. */
const markerPixels = 64;

/** After what changes the sizes of symbols. */
export function placeLabels(
  { DeclarativeStyleItem: { prototype } }: PlacementCore,
  { maps }: PlacementApp,
): void {
  const draw = prototype._stylePoint;
  prototype._stylePoint = function drawPlaced(this: StyleItem, feature: object) {
    const style = draw.call(this, feature);
    const placement = this.properties?.mapStyle?.style?.label?.placement;
    const text = placement && style.getText();
    // symbols of globes stand on their point
    if (text) place(text, placement, boxOf(style.getImage(), maps.activeMap?.className === 'CesiumMap'));
    return style;
  };
}

/** What a symbol covers, in pixels from its point, downwards. */
interface SymbolBox {
  readonly top: number;
  readonly bottom: number;
  readonly side: number;
}

function boxOf(image: Image | null, isStanding: boolean): SymbolBox {
  if (!image) return { top: 0, bottom: 0, side: 0 };
  const [width = markerPixels, height = markerPixels] = image.getSize() ?? [];
  const scale = image.getScaleArray()[0] ?? 1;
  const half = (height * scale) / 2;
  return { top: isStanding ? -2 * half : -half, bottom: isStanding ? 0 : half, side: (width * scale) / 2 };
}

function place(text: Text, placement: Placement, { top, bottom, side }: SymbolBox): void {
  const middle = (top + bottom) / 2;
  const alignments = {
    left: 'right',
    right: 'left',
    above: 'center',
    below: 'center',
    centre: 'center',
  } as const;
  text.setTextAlign(alignments[placement]);
  text.setTextBaseline(placement === 'above' ? 'bottom' : placement === 'below' ? 'top' : 'middle');
  const across = { left: -side - gap, right: side + gap, above: 0, below: 0, centre: 0 }[placement];
  text.setOffsetX(across);
  text.setOffsetY(placement === 'above' ? top - gap : placement === 'below' ? bottom + gap : middle);
}
