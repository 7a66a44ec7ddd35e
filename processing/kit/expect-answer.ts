/** Asserts the kind of what a thread answered. */
export function expectAnswer<Answer extends { readonly kind: string }, Kind extends Answer['kind']>(
  answer: Answer,
  kind: Kind,
): Extract<Answer, { kind: Kind }> {
  if (answer.kind !== kind) throw new Error(`a thread answered ${answer.kind} instead of ${kind}`);
  return answer as Extract<Answer, { kind: Kind }>;
}
