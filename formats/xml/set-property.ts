/** Sets what a file names, which may be called `__proto__`. */
export function setProperty(properties: Record<string, unknown>, name: string, value: unknown): void {
  if (name !== '__proto__') properties[name] = value;
  else
    Object.defineProperty(properties, name, {
      value,
      configurable: true,
      enumerable: true,
      writable: true,
    });
}
