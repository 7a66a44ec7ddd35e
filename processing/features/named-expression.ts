import type { EvaluateExpression } from './compile-expression.ts';

/** An expression with its name for messages. */
export interface NamedExpression {
  readonly name: string;
  /** What happens to features for which the expression fails. */
  readonly consequence: string;
  readonly evaluate: EvaluateExpression;
}
