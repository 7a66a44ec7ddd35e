import { pointTo } from './analyse-expression.ts';
import type * as Expressions from './compile-expression.ts';
import type { NamedExpression } from './named-expression.ts';

export type Compiler = Pick<typeof Expressions, 'compileExpression' | 'compileFilter'>;

/** The expression library takes a while to load, so it is imported only if there are expressions. */
export const loadCompiler = (isNeeded: boolean): Promise<Compiler> | undefined =>
  isNeeded ? import('./compile-expression.ts') : undefined;

/** @param name for messages @param at JSON pointer to the group of options @throws JobFailure `invalidExpression` */
export function compileNamedFilter(
  source: unknown,
  { name, at, compiler }: { readonly name: string; readonly at: string; readonly compiler: Compiler },
): NamedExpression {
  return {
    name,
    consequence: 'they are left out',
    evaluate: compiler.compileFilter(source, `${at}/filter`),
  };
}

/** @param at JSON pointer to the group of options @throws JobFailure `invalidExpression` */
export function compileComputed(
  attributes: Readonly<Record<string, unknown>>,
  { at, compiler }: { readonly at: string; readonly compiler: Compiler },
): NamedExpression[] {
  return Object.entries(attributes).map(([name, source]) => ({
    name,
    consequence: 'they have no such attribute',
    evaluate: compiler.compileExpression(source, 'any', pointTo(`${at}/attributes`, name)),
  }));
}
