import type {
  CategoryValue,
  ColourRule,
  Hatch,
  LabelRule,
  MapStyle,
  SizeRule,
  StyledShape,
  StyleFilter,
  ZoomSize,
} from '@platen/contract/map-styles';
import type { NoteList } from './notes.ts';

/** A test of one attribute. `notIn` holds for features whose value is none of these, or that have none. */
export interface Condition {
  readonly attribute: string;
  readonly operator: StyleFilter['operator'];
  readonly values: readonly CategoryValue[];
}

export type SymbolShape = Exclude<StyledShape, 'object' | 'cloud'>;

export interface SymbolOutline {
  readonly colour: string | ColourRule;
  readonly width: number;
}

/** How a feature is drawn. Colours and sizes are constant, or follow an attribute. */
export interface RuleSymbol {
  readonly shape: SymbolShape;
  readonly colour: string | ColourRule;
  readonly opacity: number;
  /** Diameter of a point or width of a line in pixels. */
  readonly size?: number | SizeRule;
  readonly zoomSize?: ZoomSize;
  readonly outline?: SymbolOutline | null | undefined;
  /** Of areas. */
  readonly hatch?: Hatch | undefined;
}

/** The common form of the rules of all formats: features that match all conditions are drawn with the symbol. */
export interface StyleRule {
  readonly title?: string;
  /** Called so by the file, not necessarily for people. */
  readonly name?: string;
  readonly conditions: readonly Condition[];
  /** Applies to what no other rule matches. */
  readonly isElse?: boolean;
  readonly symbol: RuleSymbol;
}

export interface RuleList {
  readonly rules: readonly StyleRule[];
  readonly label?: LabelRule | undefined;
}

/** A style as it was read from a file. */
export interface ReadStyle {
  readonly name?: string;
  readonly style: MapStyle;
  readonly shape: SymbolShape;
}

export interface StyleToWrite {
  readonly style: MapStyle;
  readonly shape: StyledShape;
  readonly name: string;
}

/** A style of a file, with the notes of its own. */
export interface NotedStyle {
  readonly read: ReadStyle | undefined;
  readonly notes: NoteList;
}

/** Whether a colour follows no attribute. */
export const isConstant = (colour: string | ColourRule): colour is string => typeof colour === 'string';
