/** Reading of variables. Each function throws an Error with one clear line if the value is invalid. */

/** Words that are separated by spaces or commas. */
export const words = (value: string) => value.split(/[\s,]+/).filter(Boolean);

export function isOn(env: NodeJS.ProcessEnv, name: string): boolean {
  const value = env[name] || 'on';
  if (value === 'on' || value === 'off') return value === 'on';
  throw new Error(`${name} must be on or off, not “${value}”.`);
}

export function wholeNumber(env: NodeJS.ProcessEnv, name: string, otherwise: number, max: number): number {
  const value = env[name];
  if (!value) return otherwise;
  const number = Number(value);
  if (Number.isInteger(number) && number >= 0 && number <= max) return number;
  throw new Error(`${name} must be a whole number from 0 to ${max}, not “${value}”.`);
}

/** undefined if the variable is not set. */
export function limit(
  env: NodeJS.ProcessEnv,
  name: string,
  max: number = Number.MAX_SAFE_INTEGER,
): number | undefined {
  return env[name] ? wholeNumber(env, name, 0, max) : undefined;
}

export function atLeastOne(env: NodeJS.ProcessEnv, name: string, otherwise: number, max: number): number {
  return numberFrom(env, name, { min: 1, otherwise, max });
}

export function numberFrom(
  env: NodeJS.ProcessEnv,
  name: string,
  { min, otherwise, max }: { min: number; otherwise: number; max: number },
): number {
  const number = wholeNumber(env, name, otherwise, max);
  if (number >= min) return number;
  throw new Error(`${name} must be a whole number from ${min} to ${max}, not “${env[name]}”.`);
}
