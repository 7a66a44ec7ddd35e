import { lineType, pointType, polygonType, type ShapeType } from '@platen/geo/shape/shape';
import { styleDrawer, type ValueOf } from '@platen/styles/drawn-style';
import { originOf } from '@platen/styles/style-item';
import { isObject } from '../../../base/is-object.ts';
import { colourOfExpression, numberOfExpression, parseCssColour, type InkColour } from './css-colour.ts';

/** A colour, and the width of a line or the diameter of a point in pixels. */
export interface Ink extends InkColour {
  readonly width: number;
  /** Around points. */
  readonly outline?: { readonly colour: string; readonly width: number } | undefined;
}

/** What of a feature is drawn. */
export interface Paint {
  readonly fill?: Ink;
  readonly stroke?: Ink;
  readonly point?: Ink;
}

/** How a feature of a layer is drawn; undefined: not at all. */
export type Painter = (type: ShapeType, value: ValueOf) => Paint | undefined;

type Json = Readonly<Record<string, unknown>>;

/** The map viewer's defaults. */
const plain = { fill: 'rgba(255, 255, 255, 0.4)', stroke: '#3399cc', strokeWidth: 1.25, radius: 5 };

/** Reads a style item of the map viewer. Whatever it cannot read of it is drawn in the default. */
export function painterOf(item: unknown): Painter {
  const origin = originOf(item);
  if (origin) return painterOfMapStyle(origin);
  if (isObject(item) && item['type'] === 'DeclarativeStyleItem') return painterOfExpressions(item);
  return painterOfVectorStyle(isObject(item) ? item : {});
}

function painterOfMapStyle({ style, shape }: NonNullable<ReturnType<typeof originOf>>): Painter {
  const drawn = styleDrawer(style, shape);
  return (type, value) => {
    const how = drawn(value);
    if (how === undefined) return undefined;
    const { colour, opacity, lineWidth, pointSize, outline } = how;
    if (type === lineType) return { stroke: { colour, opacity, width: lineWidth } };
    if (type === pointType) return { point: { colour, opacity, width: pointSize, outline } };
    const around = shape === 'area' ? outline : { colour, width: lineWidth };
    return {
      fill: { colour, opacity, width: 0 },
      ...(around && { stroke: { colour: around.colour, opacity: 1, width: around.width } }),
    };
  };
}

/** Conditions that compare an attribute with a text are understood, such as those of tiles with several layers. */
function painterOfExpressions({ declarativeStyle }: Json): Painter {
  const { color, strokeColor, strokeWidth, pointSize, pointOutlineColor, pointOutlineWidth, show } = isObject(
    declarativeStyle,
  )
    ? declarativeStyle
    : {};
  if (show === 'false' || show === false) return () => undefined;
  return (type, value) => {
    const fill = colourOfExpression(color, value) ?? { colour: plain.stroke, opacity: 0.8 };
    const width = numberOfExpression(strokeWidth);
    if (type === pointType) {
      const outline = colourOfExpression(pointOutlineColor, value);
      const outlineWidth = numberOfExpression(pointOutlineWidth) ?? 1;
      return {
        point: {
          ...fill,
          width: numberOfExpression(pointSize) ?? plain.radius * 2,
          ...(outline && { outline: { colour: outline.colour, width: outlineWidth } }),
        },
      };
    }
    const stroke = colourOfExpression(strokeColor, value);
    if (type === lineType) return { stroke: { ...(stroke ?? fill), width: width ?? 2 } };
    return { fill: { ...fill, width: 0 }, ...(stroke && { stroke: { ...stroke, width: width ?? 1 } }) };
  };
}

function painterOfVectorStyle({ fill, stroke, image }: Json): Painter {
  const area = fill === undefined ? plain.fill : colourIn(fill);
  const line = stroke === undefined ? plain.stroke : colourIn(stroke);
  const lineWidth = numberIn(stroke, 'width') ?? plain.strokeWidth;
  const paints = {
    fill: inkOf(area, 0),
    stroke: inkOf(line, lineWidth),
    point: pointOf(isObject(image) ? image : {}),
  };
  return (type) => {
    if (type === pointType) return paints.point && { point: paints.point };
    const { point: _, fill: inside, ...rest } = paints;
    return type === polygonType ? withoutNone({ fill: inside, ...rest }) : withoutNone(rest);
  };
}

/** Icons are drawn as discs. */
function pointOf(image: Json): Ink | undefined {
  const { fill, stroke } = image;
  const radius = numberIn(image, 'radius') ?? plain.radius;
  const outline = parseCssColour(colourIn(stroke));
  const width = numberIn(stroke, 'width') ?? 1;
  const ink = inkOf(fill === undefined ? plain.stroke : colourIn(fill), radius * 2);
  return ink && { ...ink, ...(outline && { outline: { colour: outline.colour, width } }) };
}

function inkOf(colour: unknown, width: number): Ink | undefined {
  const parsed = parseCssColour(colour);
  return parsed && parsed.opacity > 0 ? { ...parsed, width } : undefined;
}

const withoutNone = (paint: Readonly<Record<string, Ink | undefined>>): Paint =>
  Object.fromEntries(Object.entries(paint).filter(([, ink]) => ink !== undefined));

const colourIn = (value: unknown): unknown => (isObject(value) ? value['color'] : undefined);

function numberIn(value: unknown, key: string): number | undefined {
  const number = isObject(value) ? value[key] : undefined;
  return typeof number === 'number' && number >= 0 && number <= 200 ? number : undefined;
}
