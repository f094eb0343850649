/**
 * What `make` makes of each, in order. For arrays on the path of a round: those of `map` change their kind once it is
 * compiled, and all code that reads them is then compiled a second time. A list of one, the usual, takes no spare room.
 */
export function each<A, B>(list: readonly A[], make: (one: A, index: number) => B): B[] {
  if (list.length === 1) return [make(list[0]!, 0)];
  const made: B[] = [];
  for (let i = 0; i < list.length; i++) made.push(make(list[i]!, i));
  return made;
}
