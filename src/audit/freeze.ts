/** What was recorded cannot be changed afterwards. */

/** Freezes plain objects and arrays all the way down. Instances of classes freeze themselves. */
export function freeze(value: unknown): void {
  if (typeof value !== 'object' || value === null || Object.isFrozen(value)) return;
  const prototype = Object.getPrototypeOf(value) as unknown;
  if (prototype !== Object.prototype && prototype !== Array.prototype && prototype !== null) return;
  Object.freeze(value);
  for (const item of Object.values(value)) freeze(item);
}
