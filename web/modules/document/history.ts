/** A list of states with the current index; later states can be redone. */
export interface History<State> {
  readonly states: readonly State[];
  readonly at: number;
  /** The last change's key and time: another one with the same key soon after replaces it. */
  readonly last?: { readonly key: string; readonly ms: number };
}

const maxStates = 200;
const togetherMs = 1200;

export const startHistory = <State>(state: State): History<State> => ({ states: [state], at: 0 });
export const nowOf = <State>({ states, at }: History<State>): State => states[at]!;
export const canUndo = ({ at }: History<unknown>) => at > 0;
export const canRedo = ({ at, states }: History<unknown>) => at < states.length - 1;

/** Adds a state; a change with the same `key` as the one just before replaces it. */
export function record<State>(
  history: History<State>,
  state: State,
  { key, ms }: { key?: string | undefined; ms: number },
): History<State> {
  const { last, at } = history;
  const isMore = key !== undefined && last?.key === key && ms - last.ms < togetherMs && at > 0;
  const before = history.states.slice(0, isMore ? at : at + 1).slice(-maxStates);
  return { states: [...before, state], at: before.length, ...(key !== undefined && { last: { key, ms } }) };
}

/** Replaces the current state by an equal one in other objects, without a new step. */
export const replaceNow = <State>({ states, at }: History<State>, state: State): History<State> => ({
  states: states.with(at, state),
  at,
});

/** Rebases all states onto a remote change: `carry(state, before, now)` returns each one changed accordingly. */
export const rebase = <State>(
  history: History<State>,
  now: State,
  rebaseState: (state: State, before: State, now: State) => State,
): History<State> => {
  const { states, at } = history;
  const before = nowOf(history);
  return { states: states.map((state) => (state === before ? now : rebaseState(state, before, now))), at };
};

export const undo = <State>(history: History<State>): History<State> => step(history, -1);
export const redo = <State>(history: History<State>): History<State> => step(history, 1);

function step<State>({ states, at }: History<State>, by: number): History<State> {
  return { states, at: Math.min(states.length - 1, Math.max(0, at + by)) };
}
