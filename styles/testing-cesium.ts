import type { StyleExpression } from './expression.ts';

interface Color {
  readonly red: number;
  readonly green: number;
  readonly blue: number;
  readonly alpha: number;
}

interface Feature {
  getPropertyInherited(name: string): unknown;
}

interface Evaluator {
  evaluate(feature: Feature): unknown;
  evaluateColor(feature: Feature, result: Color): Color;
}

interface Cesium {
  readonly Color: new () => Color;
  readonly Expression: new (expression: string) => Evaluator;
  readonly ConditionsExpression: new (expression: object) => Evaluator;
  readonly Cesium3DTileStyle: new (style: object) => ShaderMaker;
}

type MakeFunction = (signature: string, variables: object, state: { translucent: boolean }) => string;

interface ShaderMaker {
  readonly getColorShaderFunction: MakeFunction;
  readonly getShowShaderFunction: MakeFunction;
  readonly getPointSizeShaderFunction: MakeFunction;
}

const engine = new URL('dist/assets/cesium.js', import.meta.resolve('vcmap-ui-6.3'));
const cesium = (await import(engine.href)) as Cesium;

export type Attributes = Readonly<Record<string, unknown>>;

const featureOf = (attributes: Attributes): Feature => ({
  getPropertyInherited: (name) => attributes[name],
});

const evaluatorOf = (expression: StyleExpression) =>
  typeof expression === 'string'
    ? new cesium.Expression(expression)
    : new cesium.ConditionsExpression(structuredClone(expression) as object);

/** Evaluates an expression by the engine that draws maps. */
export const evaluate = (expression: StyleExpression, attributes: Attributes): unknown =>
  evaluatorOf(expression).evaluate(featureOf(attributes));

/** @returns `#rrggbb`, followed by the opacity in percent unless it is 100 */
export function evaluateColour(expression: StyleExpression, attributes: Attributes): string {
  const { red, green, blue, alpha } = evaluatorOf(expression).evaluateColor(
    featureOf(attributes),
    new cesium.Color(),
  );
  const parts = [red, green, blue].map((part) =>
    Math.round(part * 255)
      .toString(16)
      .padStart(2, '0'),
  );
  const percent = Math.round(alpha * 100);
  return `#${parts.join('')}${percent === 100 ? '' : ` ${percent} %`}`;
}

/** Makes the shader functions of points of a style. @throws if the language of shaders cannot say it */
export function compileForPoints(style: Readonly<Record<string, StyleExpression>>): void {
  const made = new cesium.Cesium3DTileStyle(structuredClone(style));
  const state = { translucent: false };
  made.getColorShaderFunction('getColor()', {}, state);
  made.getShowShaderFunction('getShow()', {}, state);
  made.getPointSizeShaderFunction('getSize()', {}, state);
}
