/**
 * What `make` makes, once for each name, and kept. Where it failed it is made again for who asks next.
 * For names that we give ourselves: nothing is ever let go.
 */
export function makeOnce<T>(make: (name: string) => Promise<T>): (name: string) => Promise<T> {
  const madeByName = new Map<string, Promise<T>>()
  return (name) => {
    const known = madeByName.get(name)
    if (known !== undefined) return known
    const made = make(name)
    madeByName.set(name, made)
    made.catch(() => madeByName.delete(name))
    return made
  }
}
