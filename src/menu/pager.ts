const marker = Symbol.for("rondo.pages");

/** Marks a tool as the one that reads on in results that were cut: its own are not kept, and marked as those that it reads. */
export function pager<T extends object>(tool: T): T {
  return Object.assign(tool, { [marker]: true });
}

/** Whether an entry of a menu is that tool. */
export const isPager = (source: object | undefined): boolean => source !== undefined && marker in source;
